#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct EndpointsTests {
        private var endpoints = Endpoints(["a", "b", "c"], startingAt: 1, longestPause: .seconds(30))

        @Test mutating func `endpoints are tried in turn, and pauses grow to the limit`() {
            var (tried, pauses) = ([String](), [Duration]())
            for _ in 0..<30 {
                tried.append(endpoints.current)
                pauses.append(endpoints.noteFailure(jitter: 1))
            }
            #expect(tried.prefix(4) == ["b", "c", "a", "b"])
            #expect(pauses.prefix(3) == [.milliseconds(250), .milliseconds(250), .milliseconds(500)])
            #expect(pauses.last == .seconds(30) && pauses == pauses.sorted())
        }

        @Test mutating func `jitter takes up to half of a pause`() {
            for _ in 0..<40 { _ = endpoints.noteFailure(jitter: 0) }
            #expect(endpoints.noteFailure(jitter: 0) == .seconds(15))
            #expect(endpoints.noteFailure(jitter: 0.5) == .seconds(22.5))
        }

        @Test mutating func `a success ends the pauses, and keeps the endpoint`() {
            for _ in 0..<7 { _ = endpoints.noteFailure(jitter: 1) }
            #expect(endpoints.haveAllFailed)
            let current = endpoints.current
            endpoints.noteSuccess()
            #expect(endpoints.current == current && !endpoints.haveAllFailed)
            #expect(endpoints.noteFailure(jitter: 1) == .milliseconds(250))
        }
    }
#endif
