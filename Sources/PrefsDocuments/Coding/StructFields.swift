import FoundationEssentials

/// The fields that a struct asks its decoder for. Finding them needs no stored value: a decoder answers each
/// request with a sample of the field's type.
package struct StructFields {
    /// A field of the struct.
    package struct Field {
        package let name: String
        package fileprivate(set) var type: (any Decodable.Type)?
        /// True if the struct also decodes without the field.
        package fileprivate(set) var isOptional: Bool

        /// The raw values of an enum that lists its cases, in stored form.
        package var allowedValues: [PrefsValue]? { type.flatMap(PrefsDocuments.allowedValues(of:)) }
    }

    /// The fields, in the order of decoding; `nil` for a type that is not a struct.
    package fileprivate(set) var fields: [Field]?
    /// The type of the stored value, if the type is stored as a single value.
    package fileprivate(set) var wrapped: (any Decodable.Type)?
    /// False if decoding ended early, so that fields may be missing.
    package private(set) var isComplete = false
    /// The field that ended decoding because no sample of its type is known; fields after it may be missing.
    /// `nil` if decoding ended early for another reason, such as a check of the values, or did not end early.
    package var unknownField: Field? { isComplete ? nil : fields?.first { $0.name == lastUnknown } }
    private let lastUnknown: String?

    /// Returns true if the struct's coding keys include a name, even if the struct has not asked for it. A
    /// handwritten `init(from:)` may ask for it under other circumstances.
    package let mayHave: @Sendable (String) -> Bool

    /// Finds the fields of a type. This runs its `init(from:)`.
    ///
    /// - Parameter defaults: A stored value of the type, whose fields serve as samples. If it is `nil` and the
    ///   type is a section, the fields of the section's `init()` serve instead.
    package init(of type: any Decodable.Type, defaults: PrefsValue? = nil) {
        let notes = Notes()
        let section = type as? any PrefsSection.Type
        let defaults = defaults ?? section.flatMap { (try? PrefsValueEncoder().encode($0.init())) ?? nil }
        do {
            _ = try type.init(from: SampleDecoder(notes: notes, defaults: defaults))
            isComplete = true
        } catch {}
        lastUnknown = notes.lastUnknown
        fields = notes.looksAtAllKeys ? nil : notes.fields
        wrapped = fields == nil ? notes.wrapped : nil
        let accepts = notes.accepts
        mayHave = { name in accepts.contains { $0(name) } }
    }

    /// The requests to one decoder.
    fileprivate final class Notes {
        var fields: [Field]?
        var wrapped: (any Decodable.Type)?
        /// The last field without a sample.
        var lastUnknown: String?
        /// True for an enum with payloads, whose case is the key.
        var looksAtAllKeys = false
        /// One function per container, which returns true for the names of its coding keys.
        var accepts: [@Sendable (String) -> Bool] = []

        func note(_ name: String, _ type: (any Decodable.Type)?, isOptional: Bool) {
            guard let index = fields?.firstIndex(where: { $0.name == name }) else {
                fields = (fields ?? []) + [Field(name: name, type: type, isOptional: isOptional)]
                return
            }
            if let type { fields?[index].type = type }
            if isOptional { fields?[index].isOptional = true }
        }
    }
}

/// Sample values. Most types accept at least one of them.
private let samples: [PrefsValue] = [
    "", 0, false, [], [:], "0s", .date(Date(timeIntervalSinceReferenceDate: 0)), .data(Data()),
    "http://localhost", "00000000-0000-0000-0000-000000000000",
]

/// Answers every request of an `init(from:)` with a sample, and notes the request.
private struct SampleDecoder: Decoder, SingleValueDecodingContainer {
    let notes: StructFields.Notes
    /// A stored value of the type, if one is known.
    var defaults: PrefsValue?
    var depth = 0

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        notes.fields = notes.fields ?? []
        notes.accepts.append { Key(stringValue: $0) != nil }
        return KeyedDecodingContainer(SampleFields<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noSample() }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try wrapped(type) }

    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    func decode(_ type: Int128.Type) throws -> Int128 { try wrapped(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try wrapped(type) }

    private func wrapped<Value: Decodable>(_ type: Value.Type) throws -> Value {
        notes.wrapped = type
        return try sample(of: type)
    }

    func sample<Value: Decodable>(of type: Value.Type) throws -> Value {
        if let listed = type as? any CaseIterable.Type, let first = firstCase(of: listed) as? Value {
            return first
        }
        if let section = type as? any PrefsSection.Type, let value = section.init() as? Value { return value }
        let decoder = PrefsValueDecoder()
        for sample in samples {
            if let value = try? decoder.decode(type, from: sample) { return value }
        }
        // A class that contains itself has no sample.
        guard depth < 16 else { throw noSample() }
        return try Value(from: SampleDecoder(notes: StructFields.Notes(), depth: depth + 1))
    }

    private func firstCase<Listed: CaseIterable>(of type: Listed.Type) -> Any? { type.allCases.first }

    func noSample() -> DecodingError {
        .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "there is no sample"))
    }
}

private struct SampleFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: SampleDecoder

    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        decoder.notes.looksAtAllKeys = true
        return []
    }

    // A type that asks whether a key exists can do without its value. The standard library's `decodeIfPresent`
    // asks, too.
    func contains(_ key: Key) -> Bool {
        decoder.notes.note(key.stringValue, nil, isOptional: true)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try field(type, key)
    }

    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try field(type, key) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try field(type, key) }

    private func field<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value {
        decoder.notes.note(key.stringValue, type, isOptional: false)
        if let known = decoder.defaults?.dictionary?[key.stringValue],
            let value = try? PrefsValueDecoder().decode(type, from: known)
        {
            return value
        }
        do {
            return try decoder.sample(of: type)
        } catch {
            decoder.notes.lastUnknown = key.stringValue
            throw error
        }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
        decoder.notes.note(key.stringValue, type, isOptional: true)
        return nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        decoder.notes.note(key.stringValue, nil, isOptional: false)
        return SampleDecoder(notes: StructFields.Notes()).container(keyedBy: Nested.self)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        decoder.notes.note(key.stringValue, nil, isOptional: false)
        throw decoder.noSample()
    }

    func superDecoder() throws -> any Decoder { throw decoder.noSample() }

    func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.noSample() }
}
