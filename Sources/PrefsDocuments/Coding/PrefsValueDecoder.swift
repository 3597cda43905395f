import FoundationEssentials

/// Decodes `Codable` values from ``PrefsValue``, in the form that ``PrefsValueEncoder`` produces.
///
/// The decoder converts nothing: it rejects text for a number, a number for a Boolean, and `3.0` for an integer. The
/// only exception is an integer for a `Double` that represents it exactly. `Date` and `Data` are decoded from their
/// own kinds, `UUID` and `URL` from text, `Decimal` from a number or text, and `Duration` from text such as `30s`.
///
/// Errors are `DecodingError`s. The coding path leads to the wrong part, and the description says what form is
/// expected there. For an enum that is `CaseIterable` and has raw values, the description lists the raw values.
public struct PrefsValueDecoder: Sendable {
    /// The maximum nesting depth of values. Decoding a deeper value throws.
    public var depthLimit: Int
    /// Values that your types can look up in their `init(from:)`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder.
    ///
    /// - Parameter depthLimit: The maximum nesting depth of dictionaries and arrays; by default the limit for files.
    public init(depthLimit: Int = PrefsLimits.standard.depth) {
        self.depthLimit = depthLimit
    }

    /// Decodes a value from its stored form.
    ///
    /// - Throws: `DecodingError`, or any error that the `init(from:)` of a type involved throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from stored: PrefsValue) throws -> Value {
        try ValueDecoding(context: DecodingContext(self), value: stored, path: .root).decode(type)
    }

    /// Decodes a stored form. An error names the wrong part and the form expected there.
    package func value<Value: Decodable>(
        of stored: PrefsValue, as type: Value.Type
    ) -> Result<Value, PrefsMismatch> {
        fields(of: stored, as: type).value
    }

    /// Decodes a stored form, and reuses the parts that it has in common with the previous value.
    ///
    /// - Parameter parts: The parts of the previous value; afterwards, the parts of this value.
    package func value<Value: Decodable>(
        of stored: PrefsValue, as type: Value.Type, reusing parts: inout DecodedParts
    ) -> Result<Value, PrefsMismatch> {
        let context = DecodingContext(self)
        context.reuse(parts)
        let value = Result { try ValueDecoding(context: context, value: stored, path: .root).decode(type) }
        parts = context.parts
        return value.mapError { PrefsMismatch($0, decoding: type) }
    }

    /// Returns the wrong part of a stored form; `nil` if the type accepts the stored form.
    package func mismatch(of stored: PrefsValue, as type: any Decodable.Type) -> PrefsMismatch? {
        do {
            _ = try decode(type, from: stored)
            return nil
        } catch {
            return PrefsMismatch(error, decoding: type)
        }
    }

    /// Decodes a stored form, and finds the dictionaries in it that are not merged field by field.
    package func fields<Value: Decodable>(
        of stored: PrefsValue, as type: Value.Type
    ) -> DecodedFields<Value> {
        let context = DecodingContext(self)
        let value = Result { try ValueDecoding(context: context, value: stored, path: .root).decode(type) }
        return DecodedFields(
            value: value.mapError { PrefsMismatch($0, decoding: type) }, wholes: context.wholes)
    }
}

/// The result of decoding a struct whose fields may come from several layers.
package struct DecodedFields<Value> {
    /// The value, or the wrong part.
    package let value: Result<Value, PrefsMismatch>
    /// The paths of the dictionaries whose type looks at all of their keys: a `Dictionary`, or an enum whose
    /// case is the key, but not a struct. Dictionaries inside arrays are not included.
    package let wholes: Set<[String]>

    package init(value: Result<Value, PrefsMismatch>, wholes: Set<[String]>) {
        self.value = value
        self.wholes = wholes
    }
}

/// A field of a struct.
package struct DecodedField {
    /// The names from the outermost struct to the field.
    package var path: [String]
    /// The field's type; `nil` if decoding does not name one, for example if it only asks whether the key exists.
    package fileprivate(set) var type: (any Decodable.Type)?
    /// True if the struct also decodes without the field.
    package fileprivate(set) var isOptional: Bool

    /// The raw values of an enum that lists its cases, in stored form.
    package var allowedValues: [PrefsValue]? { type.flatMap(PrefsDocuments.allowedValues(of:)) }
}

extension PrefsValueDecoder {
    /// Returns the fields of a struct, and of the structs within it, in the order of decoding. A dictionary, an
    /// array and an enum with payloads are one field. The stored value has to have every field, because decoding
    /// ends at a missing one.
    package func shape<Value: Decodable>(of type: Value.Type, in stored: PrefsValue) -> [DecodedField] {
        parts(of: type, in: stored).filter { !$0.isStruct }.map(\.field)
    }

    /// Returns the structs within a struct, the outer ones first.
    package func structs<Value: Decodable>(of type: Value.Type, in stored: PrefsValue) -> [DecodedField] {
        parts(of: type, in: stored).filter(\.isStruct).map(\.field).sorted { $0.path.count < $1.path.count }
    }

    private func parts<Value: Decodable>(
        of type: Value.Type, in stored: PrefsValue
    ) -> [(field: DecodedField, isStruct: Bool)] {
        let context = DecodingContext(self)
        context.noteFields()
        _ = try? ValueDecoding(context: context, value: stored, path: .root).decode(type)
        let fields = context.fields ?? []
        var structs: Set<[String]> = []
        for field in fields {
            var outer = field.path.dropLast()
            while !outer.isEmpty, structs.insert(Array(outer)).inserted { outer = outer.dropLast() }
        }
        return fields.compactMap { field in
            let isInWhole = field.path.indices.contains { context.wholes.contains(Array(field.path[..<$0])) }
            if isInWhole { return nil }
            return (field, structs.contains(field.path) && !context.wholes.contains(field.path))
        }
    }
}

/// The state that the decoders of one call share.
final class DecodingContext {
    let options: PrefsValueDecoder
    private(set) var wholes: Set<[String]> = []

    init(_ options: PrefsValueDecoder) { self.options = options }

    /// The stored defaults of the section types, computed once for all elements of an array.
    private var sections: [ObjectIdentifier: PrefsValue?] = [:]

    func defaults(of section: any PrefsSection.Type) -> PrefsValue? {
        if let known = sections[ObjectIdentifier(section)] { return known }
        let stored = (try? PrefsValueEncoder().encode(section.init())) ?? nil
        sections[ObjectIdentifier(section)] = stored
        return stored
    }

    /// The parts of the previous value; `nil` if the decoder keeps no parts.
    private var partsBefore: DecodedParts?
    /// The parts of this value.
    private(set) var parts = DecodedParts()

    func reuse(_ parts: DecodedParts) { partsBefore = parts }

    /// Returns the part of the previous value if it has the same stored form, or else the result of `decode`.
    func value<Value: Decodable>(
        of stored: PrefsValue, at path: CodingPath, _ decode: () throws -> Value
    ) rethrows -> Value {
        guard let partsBefore, let place = DecodedParts.place(of: stored, Value.self, at: path) else {
            return try decode()
        }
        let value = try partsBefore.value(of: stored, at: place) ?? decode()
        parts.keep(value, of: stored, at: place)
        return value
    }

    func noteWhole(at path: CodingPath) {
        if let names = path.names { wholes.insert(names) }
    }

    /// The fields that the types ask for, in this order; `nil` if the context does not record them.
    private(set) var fields: [DecodedField]?
    /// The index of each field in the list, by path.
    private var places: [[String]: Int] = [:]

    /// Starts recording the fields.
    func noteFields() { fields = [] }

    func noteField(
        _ key: some CodingKey, in path: CodingPath, _ type: (any Decodable.Type)?, isOptional: Bool = false
    ) {
        guard let count = fields?.count, let names = CodingPath.key(key, in: path).names else { return }
        let wrapper = type as? any FieldWrapper.Type
        let (type, isOptional) = (wrapper?.wrappedType ?? type, isOptional || wrapper?.absent != nil)
        guard let index = places[names] else {
            places[names] = count
            fields?.append(DecodedField(path: names, type: type, isOptional: isOptional))
            return
        }
        if let type { fields?[index].type = type }
        if isOptional { fields?[index].isOptional = true }
    }
}

/// The decoder that one value's `init(from:)` receives.
struct ValueDecoding: Decoder {
    let context: DecodingContext
    let value: PrefsValue
    let path: CodingPath

    private var options: PrefsValueDecoder { context.options }

    var codingPath: [any CodingKey] { path.keys }

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let content) = value else { throw error("a dictionary") }
        return KeyedDecodingContainer(
            KeyedValueDecoding<Key>(context: context, content: content, path: path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw error("an array") }
        return UnkeyedValueDecoding(context: context, elements: elements, path: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoding: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == storedNil }

    func decode(_: Bool.Type) throws -> Bool {
        guard case .bool(let flag) = value else { throw error("a boolean") }
        return flag
    }

    func decode(_: String.Type) throws -> String {
        guard case .string(let text) = value else { throw error("a string") }
        return text
    }

    func decode(_: Double.Type) throws -> Double {
        switch value {
        case .real(let number): return number
        case .integer(let number):
            if let exact = Double(exactly: number) { return exact }
        default: break
        }
        throw error("a real")
    }

    func decode(_: Float.Type) throws -> Float {
        let number = try decode(Double.self)
        let nearest = Float(number)
        if nearest.isInfinite, number.isFinite { throw error("a real that a Float can hold") }
        return nearest
    }

    func decode<Number: FixedWidthInteger & Decodable>(_: Number.Type) throws -> Number { try integer() }
    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    func decode(_: Int128.Type) throws -> Int128 { try integer() }
    func decode(_: UInt128.Type) throws -> UInt128 { try integer() }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        guard case .integer(let number) = value else { throw error("an integer") }
        guard let exact = Number(exactly: number) else {
            throw error("an integer from \(Number.min) to \(Number.max)")
        }
        return exact
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let natural = try natural(type) { return natural }
        // The limit counts containers, so a scalar may be one level deeper.
        let hasParts = value.kind == .dictionary || value.kind == .array
        guard path.depth <= options.depthLimit || !hasParts else {
            throw error("at most \(options.depthLimit) levels of nesting")
        }
        do {
            return try context.value(of: value, at: path) { try Value(from: filled(for: type)) }
        } catch let mistake {
            throw refined(mistake, decoding: type)
        }
    }
}

extension ValueDecoding {
    /// Decodes a type whose own `init(from:)` does not expect the form that a person would write. Returns `nil`
    /// for all other types.
    private func natural<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        if type == Date.self { return try date() as? Value }
        if type == Data.self { return try data() as? Value }
        if type == URL.self { return try text("a URL", URL.init(string:)) as? Value }
        if type == UUID.self { return try text("a string with a UUID", UUID.init(uuidString:)) as? Value }
        if type == Decimal.self { return try decimal() as? Value }
        if type == Duration.self { return try duration() as? Value }
        if type == PrefsByteCount.self { return try byteCount() as? Value }
        return nil
    }

    private func date() throws -> Date {
        guard case .date(let date) = value else { throw error("a date") }
        return date
    }

    private func data() throws -> Data {
        guard case .data(let data) = value else { throw error("data") }
        return data
    }

    private func decimal() throws -> Decimal {
        switch value {
        case .integer(let number):
            if let decimal = Decimal(string: "\(number)") { return decimal }
        case .real(let number) where number.isFinite:
            // The shortest decimal that reads as this number is the one that was written.
            if let decimal = Decimal(string: "\(number)") { return decimal }
        case .string(let text):
            if let decimal = Decimal(wholeText: text) { return decimal }
        default: break
        }
        throw error("a decimal number")
    }

    private func duration() throws -> Duration {
        if case .string(let text) = value, let duration = Duration(prefsText: text) { return duration }
        throw error(PrefsMismatch.duration(found: value))
    }

    private func byteCount() throws -> PrefsByteCount {
        do {
            return try PrefsByteCount(from: self)
        } catch {
            throw self.error(PrefsByteCount.expectation)
        }
    }

    private func text<Value>(_ expected: String, _ parse: (String) -> Value?) throws -> Value {
        guard case .string(let text) = value, let parsed = parse(text) else { throw error(expected) }
        return parsed
    }
}

extension ValueDecoding {
    /// Returns this decoder with a section's defaults for the missing keys.
    private func filled(for type: any Decodable.Type) -> ValueDecoding {
        guard case .dictionary = value, let section = type as? any PrefsSection.Type,
            let defaults = context.defaults(of: section)
        else { return self }
        return ValueDecoding(context: context, value: value.merged(over: defaults), path: path)
    }

    private func error(_ expected: String) -> DecodingError { error(PrefsMismatch(expected: expected)) }

    private func error(_ mismatch: PrefsMismatch) -> DecodingError {
        .mismatch(mismatch, found: value, at: path)
    }

    /// Adds details to an error of a type's own `init(from:)`: the allowed values of an enum, and the place if the
    /// error states none.
    private func refined(_ mistake: any Error, decoding type: any Decodable.Type) -> any Error {
        guard let known = mistake as? DecodingError else {
            return error(PrefsMismatch(expected: "a valid \(type) (\(mistake))"))
        }
        guard known.context?.codingPath.count == path.depth, let values = allowedValues(of: type) else {
            return known
        }
        return error(PrefsMismatch(expected: values.oneOf, suggestion: values.nearest(to: value)))
    }
}

/// Returns the raw values of an enum that lists its cases, in stored form.
package func allowedValues(of type: any Decodable.Type) -> [PrefsValue]? {
    func values<Listed: CaseIterable>(of type: Listed.Type) -> [PrefsValue]? {
        let encoder = PrefsValueEncoder()
        let values = type.allCases.map { element -> PrefsValue? in
            guard let raw = (element as? any RawRepresentable)?.rawValue as? any Encodable else { return nil }
            return try? encoder.encode(raw)
        }
        return values.contains(nil) || values.isEmpty ? nil : values.compactMap(\.self)
    }
    return (type as? any CaseIterable.Type).flatMap { values(of: $0) }
}

extension Decimal {
    /// Parses a whole text. (`Decimal(string:)` ignores any text after the number.)
    fileprivate init?(wholeText text: String) {
        let parts = (text.first == "-" ? text.dropFirst() : text[...])
            .split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= 50, parts.count <= 2,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) })
        else { return nil }
        self.init(string: text)
    }
}
