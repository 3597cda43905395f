#if Etcd
    /// One stream of watches. Confined to the client's thread.
    final class EtcdStream {
        private let connection: EtcdConnection
        private let transfer: HTTPTransfer
        private var splitter = LineSplitter(limit: EtcdConnection.streamLimit)
        private var session: WatchSession
        /// The reason why the stream ended.
        private(set) var failure: EtcdFailure?

        init(
            _ connection: EtcdConnection, _ ranges: [EtcdKeyRange], after header: EtcdHeader,
            at endpoint: String
        ) throws(EtcdFailure) {
            self.connection = connection
            session = WatchSession(watches: ranges.count, after: header)
            // The watch begins at the listed revision itself, and the session skips the events of that revision.
            // Before 3.4.36 and 3.5.18, etcd loses a deletion if the history is compacted exactly at the first
            // revision of a watch.
            transfer = try connection.watch(ranges, from: header.revision, at: endpoint)
        }

        func close() { connection.transport.close(transfer) }

        var isEstablished: Bool { session.isEstablished }

        /// Returns the events received since the last call, one batch for each message.
        ///
        /// If the stream fails, the events before the failure are lost, too. The next list contains them.
        func receive() throws(EtcdFailure) -> [(events: [EtcdEvent], header: EtcdHeader)] {
            if let failure { throw failure }
            do throws(EtcdFailure) {
                let batches = try receiveMessages()
                if batches.isEmpty, transfer.isFinished {
                    throw transfer.failure ?? EtcdFailure(.unavailable, "the server ended the watch")
                }
                return batches
            } catch {
                failure = error
                throw error
            }
        }

        private func receiveMessages() throws(EtcdFailure) -> [(events: [EtcdEvent], header: EtcdHeader)] {
            let isRefused = transfer.status != 200 && transfer.status != 0
            if isRefused {
                guard transfer.isFinished else { return [] }
                throw EtcdFailure(status: transfer.status, body: transfer.takeReceived())
            }
            var batches: [(events: [EtcdEvent], header: EtcdHeader)] = []
            var lines: [[UInt8]]
            do { lines = try splitter.receive(transfer.takeReceived()) } catch { throw EtcdFailure(error) }
            if transfer.isFinished { lines += splitter.takeRest() }
            for line in lines {
                let message = try EtcdWatchMessage(streamed: line)
                let events = try session.receive(message)
                if !events.isEmpty { batches.append((events, message.header)) }
            }
            return batches
        }
    }
#endif
