/// The entries of a dictionary under construction.
struct KeyedValueEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoding: ValueEncoding
    let path: CodingPath
    let container: EncodedContainer

    var codingPath: [any CodingKey] { path.keys }

    private func put(_ value: PrefsValue, _ key: Key) { container.entries[key.stringValue] = .value(value) }

    func encodeNil(forKey key: Key) { container.entries[key.stringValue] = .absent }
    func encode(_ value: Bool, forKey key: Key) { put(.bool(value), key) }
    func encode(_ value: String, forKey key: Key) { put(.string(value), key) }
    func encode(_ value: Double, forKey key: Key) { put(.real(value), key) }
    func encode(_ value: Float, forKey key: Key) { put(.real(Double(value)), key) }
    func encode(_ value: Int, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: Int8, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: Int16, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: Int32, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: Int64, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: Int128, forKey key: Key) { put(.integer(value), key) }
    func encode(_ value: UInt, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: UInt8, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: UInt16, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: UInt32, forKey key: Key) { put(.integer(Int128(value)), key) }
    func encode(_ value: UInt64, forKey key: Key) { put(.integer(Int128(value)), key) }

    func encode(_ value: UInt128, forKey key: Key) throws {
        put(try encoding.stored(value, at: .key(key, in: path)), key)
    }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        let part = try encoding.part(of: value, at: .key(key, in: path))
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

    private func add(_ value: PrefsValue) { container.elements.append(.value(value)) }

    func encodeNil() { container.elements.append(.absent) }
    func encode(_ value: Bool) { add(.bool(value)) }
    func encode(_ value: String) { add(.string(value)) }
    func encode(_ value: Double) { add(.real(value)) }
    func encode(_ value: Float) { add(.real(Double(value))) }
    func encode(_ value: Int) { add(.integer(Int128(value))) }
    func encode(_ value: Int8) { add(.integer(Int128(value))) }
    func encode(_ value: Int16) { add(.integer(Int128(value))) }
    func encode(_ value: Int32) { add(.integer(Int128(value))) }
    func encode(_ value: Int64) { add(.integer(Int128(value))) }
    func encode(_ value: Int128) { add(.integer(value)) }
    func encode(_ value: UInt) { add(.integer(Int128(value))) }
    func encode(_ value: UInt8) { add(.integer(Int128(value))) }
    func encode(_ value: UInt16) { add(.integer(Int128(value))) }
    func encode(_ value: UInt32) { add(.integer(Int128(value))) }
    func encode(_ value: UInt64) { add(.integer(Int128(value))) }
    func encode(_ value: UInt128) throws { add(try encoding.stored(value, at: here)) }

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
