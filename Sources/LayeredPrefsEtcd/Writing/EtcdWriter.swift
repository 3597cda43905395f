#if Etcd
    import LayeredPrefs
    import PrefsSystem

    /// Stores values on the server, on the thread that calls it.
    ///
    /// A transaction takes effect only if the keys it changes still have the revisions that it was made for. So
    /// if its outcome is unknown, the contents are listed again, and it is repeated only if they lack the values.
    struct EtcdWriter: ~Copyable {
        /// Returns what has to change in some contents; nothing if they are as they should be.
        typealias Plan = ([[UInt8]: EtcdItem]) throws(PrefsError) -> [EtcdRequests.Change]

        private let client: EtcdClient
        private let connection: EtcdConnection
        private let deadline: ContinuousClock.Instant
        private var endpoints: Endpoints
        /// True if a transaction was sent and its outcome is not known.
        private var mayHaveWritten = false
        private var conflicts = 0

        /// etcd's limit on the operations of a transaction.
        private static let mostChanges = 128
        private static let mostConflicts = 16

        init(_ client: EtcdClient, _ connection: EtcdConnection) {
            (self.client, self.connection) = (client, connection)
            let settings = client.settings
            deadline = .now.advanced(by: settings.timing.write)
            let endpoint = client.state.withLock { $0.endpoint }
            endpoints = Endpoints(
                settings.endpoints, startingAt: settings.endpoints.firstIndex(of: endpoint) ?? 0,
                longestPause: .seconds(1))
            // Each endpoint has a share of the time.
            connection.timeout = min(
                settings.timing.request, settings.timing.write / settings.endpoints.count)
            connection.deadline = deadline
        }

        /// Returns when the values can be read.
        ///
        /// - Throws: ``PrefsError``. Its reason says whether the values may have been stored nevertheless.
        mutating func write(_ plan: Plan) throws(PrefsError) {
            // While the client is not connected, its contents may be old.
            var present = client.state.withLock { $0.failure == nil ? $0.mirror : nil }
            var isListed = false
            while true {
                guard let mirror = present else {
                    present = try list()
                    isListed = true
                    continue
                }
                let changes = try plan(mirror.items)
                if changes.isEmpty {
                    if isListed { return try finish(plan, mirror.items, mirror.header) }
                    // Another writer's change may not have been received yet.
                    present = nil
                    continue
                }
                if let header = try commit(changes) {
                    return try finish(plan, mirror.items.applying(changes, header), header)
                }
                present = nil
            }
        }

        /// Returns `nil` if another endpoint should be asked.
        private mutating func list() throws(PrefsError) -> EtcdMirror? {
            do throws(EtcdFailure) {
                let list = try connection.list(client.settings.ranges, at: endpoints.current)
                return EtcdMirror(items: list.items, header: list.header)
            } catch {
                try recover(from: error)
                return nil
            }
        }

        /// Returns the header after the changes; `nil` if they have to be planned again, because other writers have
        /// changed the keys, or the outcome is unknown.
        private mutating func commit(_ changes: [EtcdRequests.Change]) throws(PrefsError) -> EtcdHeader? {
            guard changes.count <= Self.mostChanges else {
                let reason =
                    "etcd accepts \(Self.mostChanges) changes in a transaction, this has \(changes.count); change "
                    + "fewer keys at a time"
                throw PrefsError(.tooLarge, reason: reason)
            }
            do throws(EtcdFailure) {
                let request = EtcdRequests.transaction(changes)
                let body = try connection.call("/v3/kv/txn", request, at: endpoints.current)
                let answer = try EtcdTransactionAnswer(answer: body)
                if answer.succeeded { return answer.header }
            } catch {
                let isUnknown = [.unavailable, .protocolViolation, .answerTooLarge].contains(error.kind)
                if isUnknown, error.wasSent { mayHaveWritten = true }
                try recover(from: error)
                return nil
            }
            conflicts += 1
            guard conflicts <= Self.mostConflicts else {
                throw PrefsError(
                    .busy,
                    reason: "not written because other processes keep changing the same keys; try again")
            }
            return nil
        }

        /// Pauses before another endpoint is tried, if it may give another answer.
        private mutating func recover(from failure: EtcdFailure) throws(PrefsError) {
            switch failure.kind {
            case .unavailable, .protocolViolation, .answerTooLarge: client.requestCheck()
            case .revision, .token: break
            case .tooLarge: throw error(.tooLarge, failure)
            case .permission, .credentials, .noSpace, .invalidRequest, .authenticationDisabled:
                throw error(.unwritable, failure)
            }
            let pause = min(endpoints.noteFailure(jitter: .random(in: 0...1)), .seconds(1))
            guard ContinuousClock.now.advanced(by: pause) < deadline else {
                throw error(.unwritable, failure)
            }
            connection.transport.poll(for: pause)
        }

        private func error(_ code: PrefsError.Code, _ failure: EtcdFailure) -> PrefsError {
            let outcome =
                mayHaveWritten ? "it is not known whether the change was stored" : "nothing was changed"
            return PrefsError(
                code, origin: client.settings.origin, errno: failure.kind.errno,
                reason: "\(endpoints.current): \(failure.message); \(outcome)")
        }

        /// Makes the values readable: waits until the client has received them.
        ///
        /// - Parameters:
        ///   - items: The server's contents at the revision of the header.
        private func finish(
            _ plan: Plan, _ items: [[UInt8]: EtcdItem], _ header: EtcdHeader
        ) throws(PrefsError) {
            if client.isFollowerThread {
                // An observer writes. Only when it returns does this thread receive anything.
                client.commit { $0.merge(items, header: header) }
                return
            }
            let isReadable = client.wait(until: deadline) { state in
                if state.unannounced > 0 { return false }
                if state.mirror.header.revision >= header.revision { return true }
                return (try? plan(state.mirror.items).isEmpty) ?? false
            }
            guard !isReadable else { return }
            throw PrefsError(
                .busy, origin: client.settings.origin,
                reason: "the change was stored at revision \(header.revision), but was not received back yet")
        }
    }

    extension [[UInt8]: EtcdItem] {
        /// The items after a transaction.
        fileprivate func applying(_ changes: [EtcdRequests.Change], _ header: EtcdHeader) -> Self {
            var items = self
            for change in changes {
                items[change.key] = change.value.map {
                    EtcdItem(key: change.key, value: $0, revision: header.revision)
                }
            }
            return items
        }
    }
#endif
