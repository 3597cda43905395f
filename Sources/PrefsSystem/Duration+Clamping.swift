extension Duration {
    /// The duration, or the nearest one that is no longer than a hundred years.
    ///
    /// A program may mean "forever" by a duration. This one can be added to the time of any clock, and multiplied by
    /// a small factor, without overflow, and the result fits into 64 bits as nanoseconds.
    package var clamped: Duration { min(max(self, .zero - Self.century), Self.century) }

    private static let century = Duration.seconds(100 * 365 * 86_400)

    /// The number of nanoseconds, rounded towards zero; the nearest `Int64` if it does not fit.
    package var nanoseconds: Int64 {
        let (seconds, attoseconds) = inNanosecondRange.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// The number of milliseconds, rounded up, so that a wait is not too short. A duration beyond 2^63
    /// nanoseconds is clamped first.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = inNanosecondRange.components
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        return seconds * 1000 + whole + (rest > 0 ? 1 : 0)
    }

    /// The duration, clamped so that its nanoseconds fit `Int64`. Otherwise `components` might trap.
    private var inNanosecondRange: Duration {
        min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max))
    }
}
