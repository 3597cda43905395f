/// The intervals between attempts at something that keeps failing: 1 s, then twice as long each time, at most
/// 60 s.
package struct Backoff: Sendable, Hashable {
    private var following = Self.first

    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(60)

    package init() {}

    /// Returns the time to wait before the next attempt.
    package mutating func next() -> Duration {
        defer { following = min(following * 2, Self.longest) }
        return following
    }
}
