#if Etcd
    /// Checks the messages of one stream and joins fragmented events.
    ///
    /// Every irregularity ends the stream, and the client lists all keys again. So it never has to guess which
    /// events a server has left out.
    struct WatchSession {
        private let listed: EtcdHeader
        private var uncreated: Set<Int64>
        private var fragments: [Int64: [EtcdEvent]] = [:]
        private var pendingEvents = 0

        /// Far more events than one transaction can have.
        private static let mostEvents = 1 << 20

        /// - Parameters:
        ///   - watches: The number of watches on the stream.
        ///   - listed: The header of the list. The watches begin at its revision.
        init(watches: Int, after listed: EtcdHeader) {
            self.listed = listed
            uncreated = Set((0..<watches).map(Int64.init))
        }

        /// True if every watch has begun.
        var isEstablished: Bool { uncreated.isEmpty }

        /// Takes a message and returns the events that it completes.
        mutating func receive(_ message: EtcdWatchMessage) throws(EtcdFailure) -> [EtcdEvent] {
            // A watch that the server rejects is both created and canceled. Its stream would stay open and silent.
            if message.isCanceled { throw Self.failure(of: message) }
            try checkHeader(message.header)
            if message.isCreated { uncreated.remove(message.watchID) }
            guard !message.events.isEmpty || message.isFragment || fragments[message.watchID] != nil else {
                return []
            }
            guard message.watchID >= 0, !uncreated.contains(message.watchID) else {
                throw EtcdFailure(.protocolViolation, "events of a watch that was not created")
            }
            let isOld = message.events.contains { $0.revision < listed.revision }
            if isOld { throw EtcdFailure(.revision, "events from before the start of the watch") }
            pendingEvents += message.events.count
            guard pendingEvents <= Self.mostEvents else {
                throw EtcdFailure(.tooLarge, "a change of more than \(Self.mostEvents) keys")
            }
            let events = (fragments.removeValue(forKey: message.watchID) ?? []) + message.events
            if message.isFragment {
                fragments[message.watchID] = events
                return []
            }
            pendingEvents -= events.count
            // The list already includes the changes of its own revision.
            return events.filter { $0.revision > listed.revision }
        }

        /// Throws if the server's history is not the listed one, for example after a restored backup.
        private func checkHeader(_ header: EtcdHeader) throws(EtcdFailure) {
            if header.clusterID != listed.clusterID {
                throw EtcdFailure(.revision, "the endpoint now belongs to another cluster")
            }
            if header.revision < listed.revision || header.raftTerm < listed.raftTerm {
                throw EtcdFailure(
                    .revision, "the server went back from revision \(listed.revision) to \(header.revision)")
            }
        }

        private static func failure(of message: EtcdWatchMessage) -> EtcdFailure {
            if message.compactRevision > 0 {
                return EtcdFailure(
                    .revision, "the history up to revision \(message.compactRevision) was compacted")
            }
            return EtcdFailure(cancelReason: message.cancelReason)
        }
    }

    extension EtcdEvent {
        var revision: Int64 {
            switch self {
            case .put(let item): item.revision
            case .delete(_, let revision): revision
            }
        }
    }
#endif
