/// The entries of a dictionary under construction.
struct KeyedValueEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: ValueEncoding
    let path: CodingPath
    let container: EncodedContainer

    var codingPath: [any CodingKey] { path.keys }

    func encodeNil(forKey key: Key) { container.entries[key.stringValue] = .absent }

    func encode(_ value: some Encodable, forKey key: Key) throws {
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
        keyedBy: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let nested = add(isArray: false, key)
        return KeyedEncodingContainer(
            KeyedValueEncoding<Nested>(
                encoding: encoding, path: .key(key, in: path), container: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = add(isArray: true, key)
        return UnkeyedValueEncoding(encoding: encoding, path: .key(key, in: path), container: nested)
    }

    /// Returns the container at a key, the same one each time.
    private func add(isArray: Bool, _ key: Key) -> EncodedContainer {
        if case .container(let present)? = container.entries[key.stringValue], present.isArray == isArray {
            return present
        }
        let nested = EncodedContainer(isArray: isArray)
        container.entries[key.stringValue] = .container(nested)
        return nested
    }

    func superEncoder() -> any Encoder { superEncoder(ElementKey.inherited) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(key) }

    private func superEncoder(_ key: any CodingKey) -> any Encoder {
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

    func encode(_ value: some Encodable) throws {
        container.elements.append(try encoding.part(of: value, at: here))
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let (path, nested) = (here, EncodedContainer(isArray: false))
        container.elements.append(.container(nested))
        return KeyedEncodingContainer(
            KeyedValueEncoding<Nested>(encoding: encoding, path: path, container: nested))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let (path, nested) = (here, EncodedContainer(isArray: true))
        container.elements.append(.container(nested))
        return UnkeyedValueEncoding(encoding: encoding, path: path, container: nested)
    }

    func superEncoder() -> any Encoder {
        let nested = ValueEncoding(options: encoding.options, path: here)
        container.elements.append(.encoder(nested))
        return nested
    }
}
