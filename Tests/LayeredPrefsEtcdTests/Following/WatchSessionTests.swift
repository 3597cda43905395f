#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct WatchSessionTests {
        private var session = WatchSession(
            watches: 2, after: EtcdHeader(clusterID: 77, revision: 10, raftTerm: 2))

        private func message(
            _ id: Int64 = 0, revision: Int64 = 10, cluster: UInt64 = 77, term: UInt64 = 2,
            _ change: (inout EtcdWatchMessage) -> Void = { _ in }
        ) -> EtcdWatchMessage {
            var message = EtcdWatchMessage()
            message.watchID = id
            message.header = EtcdHeader(clusterID: cluster, revision: revision, raftTerm: term)
            change(&message)
            return message
        }

        private func put(_ key: UInt8, _ revision: Int64) -> EtcdEvent {
            .put(EtcdItem(key: [key], value: [], revision: revision))
        }

        private mutating func create() throws {
            for id in 0..<2 as Range<Int64> { _ = try session.receive(message(id) { $0.isCreated = true }) }
        }

        @Test mutating func `a stream is established when every watch has begun`() throws {
            _ = try session.receive(message(1) { $0.isCreated = true })
            #expect(!session.isEstablished)
            _ = try session.receive(message(0) { $0.isCreated = true })
            #expect(session.isEstablished)
        }

        @Test mutating func `a refusal, which is created and canceled, ends the stream`() {
            #expect(throws: EtcdFailure.self) {
                try session.receive(
                    message {
                        ($0.isCreated, $0.isCanceled) = (true, true)
                        $0.cancelReason = "etcdserver: permission denied"
                    })
            }
        }

        @Test mutating func `compaction ends the stream and names the revision`() throws {
            try create()
            #expect(throws: EtcdFailure(.revision, "the history up to revision 42 was compacted")) {
                try session.receive(message { ($0.isCanceled, $0.compactRevision) = (true, 42) })
            }
        }

        @Test(arguments: [(9, 77, 2), (10, 78, 2), (20, 77, 1)] as [(Int64, UInt64, UInt64)])
        mutating func `a lower revision or term or another cluster ends the stream`(
            _ revision: Int64, _ cluster: UInt64, _ term: UInt64
        ) {
            #expect(throws: EtcdFailure.self) {
                try session.receive(
                    message(revision: revision, cluster: cluster, term: term) { $0.isCreated = true })
            }
        }

        @Test mutating func `fragments are joined, per watch`() throws {
            try create()
            let first = [put(1, 11), put(2, 11)]
            #expect(
                try session.receive(message(revision: 11) { ($0.events, $0.isFragment) = (first, true) })
                    .isEmpty)
            #expect(
                try session.receive(message(1, revision: 11) { $0.events = [put(9, 11)] }) == [put(9, 11)])
            #expect(
                try session.receive(message(revision: 11) { $0.events = [put(3, 11)] }) == first + [
                    put(3, 11)
                ])
            #expect(try session.receive(message(revision: 12) { $0.events = [put(3, 12)] }) == [put(3, 12)])
        }

        @Test mutating func `progress is no event`() throws {
            try create()
            #expect(try session.receive(message(-1, revision: 500)).isEmpty)
            #expect(try session.receive(message(revision: 500)).isEmpty)
        }

        @Test mutating func `events before the start or of no watch end the stream`() throws {
            try create()
            #expect(throws: EtcdFailure.self) { try session.receive(message(7) { $0.isCanceled = true }) }
            #expect(throws: EtcdFailure.self) { try session.receive(message { $0.events = [put(1, 9)] }) }
        }

        @Test mutating func `events of the listed revision are skipped`() throws {
            try create()
            #expect(
                try session.receive(message(revision: 11) { $0.events = [put(1, 10), put(1, 11)] })
                    == [put(1, 11)])
            #expect(try session.receive(message(revision: 11) { $0.events = [put(2, 10)] }).isEmpty)
        }
    }
#endif
