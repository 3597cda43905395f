import PrefsDocuments
import TestSupport
import FoundationEssentials

/// Random contents of a file, limited to what a format can represent.
struct RandomValues {
    var generator: SeededGenerator
    /// Excludes dates, data and numbers that are not finite.
    var isForJSON = false
    /// Limits dates to whole seconds, and excludes control characters.
    var isForXML = false
    /// Excludes carriage returns, which some tools convert to line feeds, and -0.0, which they read as 0.0.
    var isForOthers = false
    /// Includes integers beyond signed 64 bits, which some tools do not support.
    var hasUnsigned = true

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func content(depth: Int = 3) -> [String: PrefsValue] {
        var content: [String: PrefsValue] = [:]
        for _ in 0..<int(0...12) { content[string()] = value(depth: depth) }
        return content
    }

    mutating func value(depth: Int) -> PrefsValue {
        switch int(0...(depth > 0 ? 9 : 7)) {
        case 0, 1: .string(string())
        case 2: .bool(Bool.random(using: &generator))
        case 3, 4: .integer(integer())
        case 5: .real(real())
        case 6: isForJSON ? .bool(true) : .data(Data((0..<int(0...80)).map { _ in UInt8(int(0...255)) }))
        case 7: isForJSON ? .bool(false) : .date(date())
        case 8: .array((0..<int(0...6)).map { _ in value(depth: depth - 1) })
        default: .dictionary(content(depth: depth - 1))
        }
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func integer() -> Int128 {
        switch int(0...5) {
        case 0: Int128(int(-3...300))
        case 1: Int128(Int64.random(in: .min ... .max, using: &generator))
        case 2: hasUnsigned ? Int128(UInt64.random(in: .min ... .max, using: &generator)) : 0
        case 3:
            [Int128(Int64.min), Int128(Int64.max), 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFFFF_FFFF][int(0...6)]
        default: Int128(int(-100_000...100_000))
        }
    }

    private mutating func real() -> Double {
        switch int(0...4) {
        case 0: Double(int(-1000...1000))
        case 1: Double.random(in: -1...1, using: &generator)
        case 2:
            [0.0, isForOthers ? 1 : -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1][int(0...4)]
        case 3 where !isForJSON: [.infinity, -.infinity][int(0...1)]
        default: Double(Int64.random(in: .min ... .max, using: &generator)) / 1024
        }
    }

    private mutating func date() -> Date {
        let seconds = Double(int(-60_000_000_000...250_000_000_000))
        let fraction = isForXML ? 0 : Double.random(in: 0..<1, using: &generator)
        return Date(timeIntervalSinceReferenceDate: seconds + fraction)
    }

    mutating func string() -> String {
        let pieces = [
            "a", "key", "Z9", " ", "\n", "\t", "\r", "<", "&", ">", "\"", "'", "]]>", "é", "e\u{301}", "日本",
            "😀",
            "\\", "/", "{", "CF$UID", ".", "\u{2028}", "\u{7F}",
        ]
        let controls = ["\u{1}", "\u{0}", "\u{1B}", "\u{FFFF}"]
        let text = (0..<int(0...8)).map { _ in
            !isForXML && int(0...30) == 0 ? controls[int(0...3)] : pieces[int(0...pieces.count - 1)]
        }.joined()
        return isForOthers ? String(text.unicodeScalars.filter { $0 != "\r" }.map(Character.init)) : text
    }
}
