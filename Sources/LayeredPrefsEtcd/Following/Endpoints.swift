#if Etcd
    /// The order of a client's endpoints, and the pauses between its attempts.
    struct Endpoints {
        let urls: [String]
        private var index: Int
        /// The failures since the last success.
        private var failures = 0
        private let longestPause: Duration

        /// The first pause after every endpoint has failed once.
        private static let shortestPause = Duration.milliseconds(250)

        /// - Parameter start: The index of the first endpoint. Different clients begin with different endpoints.
        init(_ urls: [String], startingAt start: Int, longestPause: Duration) {
            self.urls = urls
            self.longestPause = longestPause
            index = start % urls.count
        }

        var current: String { urls[index] }

        /// True if every endpoint has failed since the last success.
        var haveAllFailed: Bool { failures >= urls.count }

        /// Records that the current endpoint works. It stays the first choice.
        mutating func noteSuccess() { failures = 0 }

        /// Moves on to the next endpoint. Returns the time to wait before trying it.
        ///
        /// - Parameter jitter: A random number from 0 to 1, so that clients that lost their connections together
        ///   do not all come back together.
        mutating func noteFailure(jitter: Double) -> Duration {
            index = (index + 1) % urls.count
            failures += 1
            let round = min(failures / urls.count, 20)
            let longest = min(Self.shortestPause * (1 << round), longestPause)
            // The first attempt at another endpoint comes soon, but still not at the same time as the other
            // clients' attempts.
            return round == 0 ? Self.shortestPause * jitter : longest * (0.5 + jitter / 2)
        }
    }
#endif
