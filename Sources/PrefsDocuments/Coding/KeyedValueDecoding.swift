/// The entries of a dictionary that is being decoded.
struct KeyedValueDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let context: DecodingContext
    let content: [String: PrefsValue]
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }

    var allKeys: [Key] {
        context.noteWhole(at: path)
        return content.keys.compactMap(Key.init(stringValue:))
    }

    func contains(_ key: Key) -> Bool {
        // A type that asks whether a key exists can do without its value.
        context.noteField(key, in: path, nil, isOptional: true)
        return content[key.stringValue] != nil
    }

    private func entry(_ key: some CodingKey, _ type: (any Decodable.Type)? = nil) throws -> ValueDecoding {
        context.noteField(key, in: path, type)
        guard let value = content[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "the key is missing"))
        }
        return ValueDecoding(context: context, value: value, path: .key(key, in: path))
    }

    func decodeNil(forKey key: Key) throws -> Bool { try entry(key).decodeNil() }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        // The synthesized code does not see an optional inside a wrapper, and decodes the wrapper as required.
        if content[key.stringValue] == nil, let wrapper = type as? any FieldWrapper.Type,
            let absent = wrapper.absent as? Value
        {
            context.noteField(key, in: path, type)
            return absent
        }
        return try entry(key, type).decode(type)
    }

    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try entry(key, type).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try entry(key, type).decode(type) }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try optional(type, key)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try optional(type, key) }

    // With the standard library's `decodeIfPresent`, we would not learn the type of an absent scalar.
    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        context.noteField(key, in: path, type, isOptional: true)
        return try contains(key) && !decodeNil(forKey: key) ? entry(key, type).decode(type) : nil
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try entry(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try entry(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try entry(ElementKey.inherited) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try entry(key) }
}

/// The elements of an array that is being decoded.
struct UnkeyedValueDecoding: UnkeyedDecodingContainer {
    let context: DecodingContext
    let elements: [PrefsValue]
    let path: CodingPath
    private(set) var currentIndex = 0

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    /// Decodes the next element. Moves on to the element after it if that succeeds.
    private mutating func next<Value>(_ decode: (ValueDecoding) throws -> Value) throws -> Value {
        let here = CodingPath.index(currentIndex, in: path)
        guard !isAtEnd else {
            let description = "expected an array with more than \(elements.count) elements"
            throw DecodingError.valueNotFound(
                Value.self, DecodingError.Context(codingPath: here.keys, debugDescription: description))
        }
        let value = try decode(ValueDecoding(context: context, value: elements[currentIndex], path: here))
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex] == storedNil else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next { try $0.decode(type) }
    }

    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.decode(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.decode(type) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try next { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
}
