import FoundationEssentials
import LayeredPrefs

/// The requirement of one JSON Schema keyword on a value.
///
/// As in JSON Schema, a keyword only concerns values of its own kind. For example, `minLength` accepts every
/// number.
struct SchemaCondition: Sendable {
    /// The requirement, worded as the continuation of “expected”.
    let expectation: String
    let accepts: @Sendable (PrefsValue) -> Bool

    /// Makes the condition from the keyword's value; `nil` if there is nothing to check.
    typealias Maker = @Sendable (PrefsValue) throws(PrefsMismatch) -> SchemaCondition?

    /// The keywords that are conditions. Other keywords are not: `enum`, `const`, `minimum` and `maximum` are
    /// limits of a type, and `type`, `items`, `properties` and `additionalProperties` make the type.
    static let keywords: [String: Maker] = [
        "pattern": pattern,
        "format": format,
        "minLength": atLeast("character", of: \.length),
        "maxLength": atMost("character", of: \.length),
        "minItems": atLeast("element", of: \.elementCount),
        "maxItems": atMost("element", of: \.elementCount),
        "uniqueItems": uniqueItems,
        "exclusiveMinimum": compared("more than") { $0 > $1 },
        "exclusiveMaximum": compared("less than") { $0 < $1 },
        "multipleOf": multipleOf,
    ]

    static func oneOf(_ types: [PrefsStoredType]) -> SchemaCondition {
        SchemaCondition(expectation: types.map(\.expectation).joined(separator: " or ")) { value in
            types.contains { $0.mismatch(of: value) == nil }
        }
    }
}

extension SchemaCondition {
    private static func pattern(_ value: PrefsValue) throws(PrefsMismatch) -> SchemaCondition? {
        guard case .string(let pattern) = value, (try? Regex(schemaPattern: pattern)) != nil else {
            throw PrefsMismatch(expected: "a regular expression that Swift supports")
        }
        return SchemaCondition(expectation: "text that matches “\(pattern)”") { value in
            guard case .string(let text) = value else { return true }
            // A Regex is not Sendable; compiling one takes 20 µs.
            return (try? Regex(schemaPattern: pattern)).map(text.contains) ?? true
        }
    }

    private static func format(_ value: PrefsValue) throws(PrefsMismatch) -> SchemaCondition? {
        guard case .string(let name) = value, let format = formats[name] else {
            throw PrefsMismatch(expected: "date-time, duration, uri or uuid")
        }
        guard let format else { return nil }
        return SchemaCondition(expectation: format.expectation) { value in
            if case .string(let text) = value { format.accepts(text) } else { true }
        }
    }

    /// The formats that the library has types for; `nil` for the format that is a stored type.
    private static let formats: [String: (expectation: String, accepts: @Sendable (String) -> Bool)?] = [
        "date-time": nil,
        "duration": (
            "an ISO 8601 duration such as “PT1H30M”",
            { $0.hasPrefix("P") && DurationPrefsCoding().decode(.string($0)) != nil }
        ),
        "uri": ("a URI such as “https://example.com”", { URL(string: $0)?.scheme != nil }),
        "uuid": ("a UUID", { UUID(uuidString: $0) != nil }),
    ]

    private static func uniqueItems(_ value: PrefsValue) throws(PrefsMismatch) -> SchemaCondition? {
        guard case .bool(let isUnique) = value else { throw PrefsMismatch(expected: "true or false") }
        guard isUnique else { return nil }
        return SchemaCondition(expectation: "elements that differ") { value in
            if case .array(let elements) = value { Set(elements).count == elements.count } else { true }
        }
    }

    private static func multipleOf(_ value: PrefsValue) throws(PrefsMismatch) -> SchemaCondition? {
        guard let unit = value.number, unit > 0 else { throw PrefsMismatch(expected: "a number above 0") }
        return SchemaCondition(expectation: "a multiple of \(value)") { candidate in
            if case (.integer(let candidate), .integer(let unit)) = (candidate, value) {
                return candidate.isMultiple(of: unit)
            }
            guard let quotient = candidate.number.map({ $0 / unit }) else { return true }
            // 0.3 is a multiple of 0.1, although dividing them in binary does not give exactly 3.
            return abs(quotient - quotient.rounded()) <= abs(quotient) * 1e-12
        }
    }

    private static func compared(
        _ words: String, _ isInOrder: @escaping @Sendable (Double, Double) -> Bool
    ) -> Maker {
        { bound throws(PrefsMismatch) in
            guard let number = bound.number else { throw PrefsMismatch(expected: "a number") }
            return SchemaCondition(expectation: "\(words) \(bound)") { value in
                value.number.map { isInOrder($0, number) } ?? true
            }
        }
    }

    private typealias Size = @Sendable (PrefsValue) -> Int?

    private static func atLeast(_ unit: String, of size: @escaping Size) -> Maker {
        { limit throws(PrefsMismatch) in
            let least = try count(limit)
            return SchemaCondition(expectation: "at least \(least.counted(unit))") { value in
                size(value).map { $0 >= least } ?? true
            }
        }
    }

    private static func atMost(_ unit: String, of size: @escaping Size) -> Maker {
        { limit throws(PrefsMismatch) in
            let most = try count(limit)
            return SchemaCondition(expectation: "at most \(most.counted(unit))") { value in
                size(value).map { $0 <= most } ?? true
            }
        }
    }

    private static func count(_ value: PrefsValue) throws(PrefsMismatch) -> Int {
        guard let number = value.number, let count = Int(exactly: number), count >= 0 else {
            throw PrefsMismatch(expected: "a number of at least 0")
        }
        return count
    }
}

extension Regex<AnyRegexOutput> {
    /// Creates the regular expression for a JSON Schema pattern. Such a pattern follows ECMAScript: a character is
    /// a code point, and `\d` and `\w` match ASCII only.
    fileprivate init(schemaPattern pattern: String) throws {
        self = try Self(pattern).matchingSemantics(.unicodeScalar).asciiOnlyDigits().asciiOnlyWordCharacters()
    }
}

extension PrefsValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        default: nil
        }
    }

    /// The number of code points, as JSON Schema counts the length.
    fileprivate var length: Int? {
        if case .string(let text) = self { text.unicodeScalars.count } else { nil }
    }

    fileprivate var elementCount: Int? { if case .array(let elements) = self { elements.count } else { nil } }
}
