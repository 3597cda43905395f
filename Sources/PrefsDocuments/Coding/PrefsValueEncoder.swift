import FoundationEssentials

/// Encodes `Codable` values as ``PrefsValue``.
///
/// Structs become dictionaries, and collections become arrays and dictionaries; nothing becomes encoded text. `Date`
/// and `Data` keep their own kinds. `UUID` and `URL` are stored as text, `Decimal` as an integer or as text, and
/// `Duration` as text such as `1h30m`. The elements of a set are stored in sorted order.
///
/// A `nil` property is left out. A `nil` in an array becomes the text `$null`, as in Foundation's
/// `PropertyListEncoder`. For structs, enums, collections, dates and data, the output equals Foundation's.
public struct PrefsValueEncoder: Sendable {
    /// The maximum nesting depth of dictionaries and arrays. Encoding a deeper value throws.
    public var depthLimit: Int
    /// Values that your types can look up in their `encode(to:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// True if encoding throws when a type encodes two different values under one key. Otherwise, the later one
    /// wins.
    package var rejectsRepeatedKeys = false

    /// Creates an encoder.
    ///
    /// - Parameter depthLimit: The maximum nesting depth of dictionaries and arrays; by default the limit for files.
    public init(depthLimit: Int = PrefsLimits.standard.depth) {
        self.depthLimit = depthLimit
    }

    /// Encodes a value, and returns its stored form, or `nil` for an optional that is `nil`.
    ///
    /// - Throws: `EncodingError` if the value encodes nothing, is nested too deeply, or holds a number, date or
    ///   duration that has no stored form; and any error that the `encode(to:)` of a type involved throws.
    public func encode(_ value: some Encodable) throws -> PrefsValue? {
        let encoding = ValueEncoding(options: self, path: .root)
        let part = try encoding.part(of: value, at: .root)
        return part.isNil ? nil : part.value
    }
}

/// A part of the result: finished, or a container that may still grow.
enum EncodedPart {
    case value(PrefsValue)
    case container(EncodedContainer)
    /// The value that a nested encoder holds when encoding ends.
    case encoder(ValueEncoding)
    /// Nothing has been encoded.
    case missing
    /// The `nil` of an optional. It is no value at the outermost level, and the text `$null` in a container. A
    /// dictionary leaves out a ``FieldWrapper`` around `nil`.
    case absent

    var isNil: Bool { if case .absent = self { true } else { false } }

    var value: PrefsValue {
        switch self {
        case .value(let value): value
        case .container(let container): container.value
        case .encoder(let nested): nested.result.value
        case .absent: storedNil
        // The program asked for a nested encoder and never used it. Foundation stores an empty dictionary, too.
        case .missing: .dictionary([:])
        }
    }
}

/// A dictionary or an array under construction.
final class EncodedContainer {
    var entries: [String: EncodedPart] = [:]
    var elements: [EncodedPart] = []
    let isArray: Bool

    init(isArray: Bool) { self.isArray = isArray }

    var value: PrefsValue {
        isArray ? .array(elements.map(\.value)) : .dictionary(entries.mapValues(\.value))
    }

    /// Sorts the elements, so that equal values have one stored form.
    ///
    /// - Parameter length: The number of values that form one element: 2 for a key with its value.
    func sort(by length: Int) {
        let values = elements.map(\.value)
        let starts = stride(from: 0, to: values.count, by: length).sorted { left, right in
            if case .integer(let left) = values[left], case .integer(let right) = values[right] {
                return left < right
            }
            return "\(values[left])" < "\(values[right])"
        }
        elements = starts.flatMap { values[$0..<min($0 + length, values.count)] }.map { .value($0) }
    }
}

/// A collection whose elements are encoded in an order that differs from instance to instance.
private protocol Unordered {
    /// The number of values that the collection encodes for each element.
    var elementLength: Int { get }
}

extension Set: Unordered { fileprivate var elementLength: Int { 1 } }

/// Keys that are neither text nor integers are encoded as elements, each before its value.
extension Dictionary: Unordered { fileprivate var elementLength: Int { 2 } }

/// The encoder that one value's `encode(to:)` receives.
final class ValueEncoding: Encoder {
    let options: PrefsValueEncoder
    let path: CodingPath
    var result = EncodedPart.missing

    init(options: PrefsValueEncoder, path: CodingPath) {
        self.options = options
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(
            KeyedValueEncoding<Key>(encoding: self, path: path, container: container(isArray: false)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedValueEncoding(encoding: self, path: path, container: container(isArray: true))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Returns the container of this value, the same one each time.
    private func container(isArray: Bool) -> EncodedContainer {
        if case .container(let present) = result, present.isArray == isArray { return present }
        let container = EncodedContainer(isArray: isArray)
        result = .container(container)
        return container
    }
}

extension ValueEncoding {
    /// Encodes a value at a path.
    func part<Value: Encodable>(of value: Value, at path: CodingPath) throws -> EncodedPart {
        if let stored = try natural(value, at: path) { return .value(stored) }
        let nested = ValueEncoding(options: options, path: path)
        // The limit counts containers, so a scalar may be one level deeper.
        if path.depth <= options.depthLimit + 1 { try value.encode(to: nested) }
        let hasParts = if case .value = nested.result { false } else { true }
        if hasParts, path.depth > options.depthLimit {
            throw error(value, at: path, "nested more than \(options.depthLimit) levels deep")
        }
        if case .container(let list) = nested.result, list.isArray, let value = value as? any Unordered {
            list.sort(by: value.elementLength)
        }
        guard case .missing = nested.result else { return nested.result }
        throw error(value, at: path, "this \(Value.self) encodes no value")
    }

    /// The types whose own `encode(to:)` does not produce the form that a person would write.
    private static let naturalTypes = Set(
        [Date.self, Data.self, URL.self, UUID.self, Decimal.self, Duration.self].map(ObjectIdentifier.init))

    /// Returns the stored form of one of these types; `nil` for all other types.
    private func natural<Value: Encodable>(_ value: Value, at path: CodingPath) throws -> PrefsValue? {
        guard Self.naturalTypes.contains(ObjectIdentifier(Value.self)) else { return nil }
        switch value {
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let value as URL: return .string(value.absoluteString)
        case let value as UUID: return .string(value.uuidString)
        case let value as Decimal: return try stored(value, at: path)
        case let value as Duration:
            guard let text = value.prefsText else {
                throw error(value, at: path, "a duration is not negative")
            }
            return .string(text)
        default: return nil
        }
    }

    private func stored(_ value: Decimal, at path: CodingPath) throws -> PrefsValue {
        if value.isNaN { throw error(value, at: path, "not a number") }
        let text = value.description
        return Int64(text).map { .integer(Int128($0)) } ?? .string(text)
    }

    private func error(_ value: Any, at path: CodingPath, _ reason: String) -> EncodingError {
        .invalidValue(value, EncodingError.Context(codingPath: path.keys, debugDescription: reason))
    }
}

extension ValueEncoding: SingleValueEncodingContainer {
    func encodeNil() { result = .absent }
    func encode(_ value: Bool) { result = .value(.bool(value)) }
    func encode(_ value: String) { result = .value(.string(value)) }
    func encode(_ value: Double) { result = .value(.real(value)) }
    func encode(_ value: Float) { result = .value(.real(Double(value))) }
    func encode(_ value: some FixedWidthInteger & Encodable) throws { result = try number(value) }
    func encode(_ value: some Encodable) throws { result = try part(of: value, at: path) }

    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    func encode(_ value: Int128) throws { result = try number(value) }
    func encode(_ value: UInt128) throws { result = try number(value) }

    private func number(_ value: some FixedWidthInteger) throws -> EncodedPart {
        guard let number = Int128(exactly: value) else {
            throw error(value, at: path, "\(value) is too large")
        }
        return .value(.integer(number))
    }
}
