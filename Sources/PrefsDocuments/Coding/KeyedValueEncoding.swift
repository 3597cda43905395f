/// The entries of a dictionary under construction.
struct KeyedValueEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: ValueEncoding
    let path: CodingPath
    let container: EncodedContainer

    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) { container.entries[key.stringValue] = .absent }

    func encode(_ value: some Encodable, forKey key: Key) throws { try put(value, key) }

    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }

    private func put(_ value: some Encodable, _ key: Key) throws {
        let part = try encoding.part(of: value, at: .key(key, in: path))
        if encoding.options.rejectsRepeatedKeys, let other = container.entries[key.stringValue],
            other.value != part.value
        {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: path.keys + [key], debugDescription: "two fields have this coding key"))
        }
        // A wrapped `nil` is left out, as a `nil` property is.
        if part.isNil, value is any FieldWrapper { return }
        container.entries[key.stringValue] = part
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    /// Returns the encoder of the containers at a key, the same one each time.
    private func nested(_ key: Key) -> ValueEncoding {
        if case .encoder(let present)? = container.entries[key.stringValue] { return present }
        return newEncoder(key)
    }

    func superEncoder() -> any Encoder { newEncoder(ElementKey.inherited) }

    func superEncoder(forKey key: Key) -> any Encoder { newEncoder(key) }

    private func newEncoder(_ key: any CodingKey) -> ValueEncoding {
        let nested = ValueEncoding(options: encoding.options, path: .key(key, in: path))
        container.entries[key.stringValue] = .encoder(nested)
        return nested
    }
}

/// The elements of an array under construction.
struct UnkeyedValueEncoding: UnkeyedEncodingContainer {
    let encoding: ValueEncoding
    let path: CodingPath
    let container: EncodedContainer

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { container.elements.count }
    private var here: CodingPath { .index(count, in: path) }

    func encodeNil() { container.elements.append(.absent) }

    func encode(_ value: some Encodable) throws { try append(value) }

    // The standard library's defaults for these two types throw, and take precedence over the generic function.
    func encode(_ value: Int128) throws { try append(value) }
    func encode(_ value: UInt128) throws { try append(value) }

    private func append(_ value: some Encodable) throws {
        container.elements.append(try encoding.part(of: value, at: here))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        newEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { newEncoder().unkeyedContainer() }

    func superEncoder() -> any Encoder { newEncoder() }

    private func newEncoder() -> ValueEncoding {
        let nested = ValueEncoding(options: encoding.options, path: here)
        container.elements.append(.encoder(nested))
        return nested
    }
}
