public import FoundationEssentials

/// A stored preference: one of the eight forms that property lists, and everything else here, reduce to.
///
/// Values compare by content; reals and dates by bit pattern, so that `nan` equals itself and `-0.0`
/// differs from `0.0` — what is on disk either changed or did not.
public enum PrefsValue: Sendable {
    /// Text.
    case string(String)
    /// A truth value; never confused with the integers 0 and 1.
    case bool(Bool)
    /// A whole number. Files hold what fits `Int64` or `UInt64`; a number outside both cannot be written.
    case integer(Int128)
    /// A binary64 number, infinities and NaN included.
    case real(Double)
    /// Bytes.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// A sequence of values; two layers' arrays are never merged.
    case array([PrefsValue])
    /// Values by key; two layers' dictionaries merge by key path.
    case dictionary([String: PrefsValue])
}

extension PrefsValue {
    /// Which of the eight forms a value has.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case string, bool, integer, real, data, date, array, dictionary
    }

    /// This value's form.
    public var kind: Kind {
        switch self {
        case .string: .string
        case .bool: .bool
        case .integer: .integer
        case .real: .real
        case .data: .data
        case .date: .date
        case .array: .array
        case .dictionary: .dictionary
        }
    }

    /// The dictionary's content, when this is a dictionary.
    public var dictionary: [String: PrefsValue]? {
        if case .dictionary(let content) = self { content } else { nil }
    }
}

extension PrefsValue: Hashable {
    public static func == (lhs: PrefsValue, rhs: PrefsValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let lhs), .string(let rhs)): lhs == rhs
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.integer(let lhs), .integer(let rhs)): lhs == rhs
        case (.real(let lhs), .real(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.data(let lhs), .data(let rhs)): lhs == rhs
        case (.date(let lhs), .date(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.array(let lhs), .array(let rhs)): lhs == rhs
        case (.dictionary(let lhs), .dictionary(let rhs)): lhs == rhs
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .string(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.bitPattern)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value.bitPattern)
        case .array(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        }
    }
}

extension Date {
    fileprivate var bitPattern: UInt64 { timeIntervalSinceReferenceDate.bitPattern }
}

extension PrefsValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(arrayLiteral elements: PrefsValue...) { self = .array(elements) }

    /// The last of several values for one key wins.
    public init(dictionaryLiteral elements: (String, PrefsValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}
