#if Etcd
    /// The order in which the endpoints are tried, and the pauses between the attempts.
    struct Endpoints {
        let urls: [String]
        private var index: Int
        /// The failures since the last success.
        private var failures = 0
        private let longestPause: Duration

        /// The first pause after all endpoints have failed once.
        private static let shortestPause = Duration.milliseconds(250)

        /// - Parameter start: The index of the first endpoint; clients begin with different ones.
        init(_ urls: [String], startingAt start: Int, longestPause: Duration) {
            self.urls = urls
            self.longestPause = longestPause
            index = start % urls.count
        }

        var current: String { urls[index] }

        /// True if every endpoint has failed since the last success.
        var haveAllFailed: Bool { failures >= urls.count }

        /// Notes that the current endpoint works, and stays the first choice.
        mutating func noteSuccess() { failures = 0 }

        /// Moves on to the next endpoint, and returns the time to wait before it is tried.
        ///
        /// - Parameter jitter: A random number from 0 to 1, so that clients that were disconnected together do
        ///   not come back together.
        mutating func noteFailure(jitter: Double) -> Duration {
            index = (index + 1) % urls.count
            failures += 1
            let round = min(failures / urls.count, 20)
            let longest = min(Self.shortestPause * (1 << round), longestPause)
            // The first attempt elsewhere comes soon, and even then not together with those of other clients.
            return round == 0 ? Self.shortestPause * jitter : longest * (0.5 + jitter / 2)
        }
    }
#endif
