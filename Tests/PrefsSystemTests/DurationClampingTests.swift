import Testing

@testable import PrefsSystem

/// Durations that mean "forever" do not overflow.
@Suite struct DurationClampingTests {
    private static let greatest = Duration(attoseconds: .max)
    private static let least = Duration(attoseconds: .min)
    private static let century: Int64 = 3_153_600_000

    @Test(
        arguments: [
            (.zero, .zero), (.seconds(-7), .seconds(-7)), (.seconds(century), .seconds(century)),
            (.seconds(century + 1), .seconds(century)), (.seconds(Int64.max), .seconds(century)),
            (greatest, .seconds(century)), (least, .seconds(-century)),
        ] as [(Duration, Duration)])
    func `a duration is at most a hundred years`(duration: Duration, expected: Duration) {
        #expect(duration.clamped == expected)
    }

    @Test(
        arguments: [
            (.zero, 0), (.seconds(2), 2_000_000_000), (.nanoseconds(-3), -3), (Duration(attoseconds: 1), 0),
            (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.min), .min),
            (.seconds(10_000_000_000), .max),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), .min), (greatest, .max), (least, .min),
        ] as [(Duration, Int64)])
    func `nanoseconds are those that are nearest`(duration: Duration, expected: Int64) {
        #expect(duration.nanoseconds == expected)
    }

    @Test(
        arguments: [
            (.zero, 0), (.seconds(2), 2000), (Duration(attoseconds: 1), 1), (.microseconds(1001), 2),
            (.milliseconds(-3), -3), (.seconds(Int64.max), 9_223_372_036_855), (greatest, 9_223_372_036_855),
            (least, -9_223_372_036_854),
        ] as [(Duration, Int64)])
    func `milliseconds are rounded up`(duration: Duration, expected: Int64) {
        #expect(duration.milliseconds == expected)
    }
}
