import Testing

@testable import PrefsDocuments

@Suite struct DurationTextTests {
    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("30s", .seconds(30)), ("1h30m", .seconds(5400)),
            ("2d", .seconds(172_800)), ("1w", .seconds(604_800)), ("1.5h", .seconds(5400)),
            ("0.5s", .milliseconds(500)), ("10us", .microseconds(10)), ("10µs", .microseconds(10)),
            ("7ns", .nanoseconds(7)), ("5min", .seconds(300)), (" 1h 30 m ", .seconds(5400)), ("0s", .zero),
            ("007s", .seconds(7)), ("20m", .seconds(1200)), ("3h", .seconds(10800)),
            ("999999999s", .seconds(999_999_999)), ("15251w", .seconds(9_223_804_800)),
            ("1d2h3m4s5ms", .seconds(93784) + .milliseconds(5)),
            ("0.000000000000000001s", Duration(secondsComponent: 0, attosecondsComponent: 1)),
            ("9223372036854775s", .seconds(9_223_372_036_854_775)),
            ("PT1M30S", .seconds(90)), ("PT0.25S", .milliseconds(250)), ("P2D", .seconds(172_800)),
            ("P1DT1H", .seconds(90000)), ("P1W", .seconds(604_800)), ("PT0S", .zero),
        ] as [(String, Duration)])
    func `a text with units is a duration`(text: String, duration: Duration) {
        #expect(Duration(prefsText: text) == duration)
    }

    @Test(arguments: [
        "", "30", "soon", "-30s", "+30s", "30 parsecs", "1m1h", "1s1s", "1.s", ".5s", "1e3s", "s", "1h30",
        "nan", "inf", "infs", "1..5s", "99999999999999999999s", "999999999999999999w",
        "1.0000000000000000001s",
        "275000000000000w1900000000000000d", "9223372036854775808s", "P", "PT", "P1", "P1DT", "P1M", "P1Y",
        "3s0", "3\0s", "3\05s", "30 ss", "30sss", "999999999999999999999s", "PT1D", "P1H", "pt1m", "PT1S1M",
        "1M", "1S", "30s\n", "３s",
        String(repeating: "1", count: 1_000_000),
    ])
    func `anything else is not`(text: String) { #expect(Duration(prefsText: text) == nil) }

    @Test(
        arguments: [
            (.zero, "0s"), (.seconds(30), "30s"), (.seconds(90), "1m30s"), (.seconds(5400), "1h30m"),
            (.seconds(172_800), "2d"), (.milliseconds(250), "250ms"), (.milliseconds(1500), "1.5s"),
            (.microseconds(3), "3us"), (.nanoseconds(7), "7ns"),
            (.seconds(60) + .nanoseconds(1), "1m0.000000001s"),
            (Duration(secondsComponent: 0, attosecondsComponent: 1), "0.000000000000000001s"),
            (.seconds(Int64.max), "106751991167300d15h30m7s"), (.seconds(-1), nil),
        ] as [(Duration, String?)])
    func `a duration is written with the largest units`(duration: Duration, text: String?) {
        #expect(duration.prefsText == text)
        if let text { #expect(Duration(prefsText: text) == duration) }
    }
}
