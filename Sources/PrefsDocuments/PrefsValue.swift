public import FoundationEssentials

/// A stored preference: one of the eight kinds of value that property lists have. All other sources are reduced to
/// them.
///
/// Equality says whether the stored value changed, so values compare by content: texts and keys by their bytes, reals
/// and dates by their bit pattern. `nan` equals itself, and `-0.0` differs from `0.0`. An `é` of one character
/// differs from an `é` of two, although they are equal as `String`s.
public enum PrefsValue: Sendable {
    /// Text.
    case string(String)
    /// A Boolean; never confused with the integers 0 and 1.
    case bool(Bool)
    /// A whole number. Files hold numbers that fit `Int64` or `UInt64`. Other numbers cannot be written to a file.
    case integer(Int128)
    /// A binary64 number, including the infinities and NaN.
    case real(Double)
    /// Bytes.
    case data(Data)
    /// A point in time.
    case date(Date)
    /// A sequence of values. The arrays of two layers are never merged.
    case array([PrefsValue])
    /// Values by key. The dictionaries of two layers are merged by key path.
    case dictionary([String: PrefsValue])
}

extension PrefsValue {
    /// A kind of value.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Text.
        case string
        /// A truth value.
        case bool
        /// A whole number.
        case integer
        /// A binary64 number.
        case real
        /// Bytes.
        case data
        /// A point in time.
        case date
        /// A sequence of values.
        case array
        /// Values by key.
        case dictionary
    }

    /// The kind of this value.
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

    /// The entries of a dictionary; `nil` for any other kind.
    public var dictionary: [String: PrefsValue]? {
        if case .dictionary(let content) = self { content } else { nil }
    }
}

extension PrefsValue: Hashable {
    /// Compares two values by content: texts and keys by their bytes, reals and dates by their bit pattern.
    public static func == (lhs: PrefsValue, rhs: PrefsValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let lhs), .string(let rhs)): lhs.hasSameBytes(as: rhs)
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.integer(let lhs), .integer(let rhs)): lhs == rhs
        case (.real(let lhs), .real(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.data(let lhs), .data(let rhs)): lhs == rhs
        case (.date(let lhs), .date(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.array(let lhs), .array(let rhs)): lhs == rhs
        case (.dictionary(let lhs), .dictionary(let rhs)):
            haveSameStorage(lhs, rhs) || haveSameEntries(lhs, rhs)
        default: false
        }
    }

    /// Returns true if one dictionary is a copy of the other. Copies need no comparison: a large dictionary is
    /// compared with its own copy whenever a value beside it changes.
    private static func haveSameStorage(_ lhs: [String: PrefsValue], _ rhs: [String: PrefsValue]) -> Bool {
        // A dictionary is a reference to its storage.
        unsafe unsafeBitCast(lhs, to: UInt.self) == unsafeBitCast(rhs, to: UInt.self)
    }

    private static func haveSameEntries(_ lhs: [String: PrefsValue], _ rhs: [String: PrefsValue]) -> Bool {
        lhs.count == rhs.count
            && lhs.allSatisfy { key, value in
                guard let index = rhs.index(forKey: key) else { return false }
                return rhs.keys[index].hasSameBytes(as: key) && rhs.values[index] == value
            }
    }

    /// Hashes the content, consistently with `==`. Texts with the same bytes are also equal as `String`s.
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
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(Int128(value)) }
    /// Creates a real.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates an array.
    public init(arrayLiteral elements: PrefsValue...) { self = .array(elements) }

    /// Creates a dictionary; if a key occurs more than once, its last value wins.
    public init(dictionaryLiteral elements: (String, PrefsValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}
