// The initializers that programs use most are inlined into the program, so that a key without a range and options
// allocates nothing.
extension PersistentKey {
    /// Creates a key whose values are stored with a coding.
    ///
    /// - Parameters:
    ///   - id: The name, or dotted path, under which the value is stored.
    ///   - defaultValue: The value if no layer has an acceptable one.
    ///   - coding: The coding of the stored value.
    ///   - range: The accepted values, checked before any other validation; `nil` for all.
    ///   - options: The optional parts of the declaration.
    @inlinable
    public init(
        _ id: String,
        defaultValue: Value,
        coding: some PrefsCoding<Value>,
        in range: (any RangeExpression<Value> & Sendable)? = nil,
        _ options: PersistentKeyOption<Value>...
    ) {
        self.init(id, .value(defaultValue)) { coding }
        if range != nil || !options.isEmpty { declare(options, in: range) }
    }

    /// Creates a key with an optional value that is stored with a coding; `nil` is always accepted.
    @inlinable
    public init<Wrapped>(
        _ id: String,
        defaultValue: Value = nil,
        coding: some PrefsCoding<Wrapped>,
        in range: (any RangeExpression<Wrapped> & Sendable)? = nil,
        _ options: PersistentKeyOption<Value>...
    ) where Value == Wrapped? {
        let coding = coding.optionalPrefsCoding
        self.init(id, .value(defaultValue)) { coding }
        if range != nil || !options.isEmpty { declare(options, in: range) }
    }

    /// Creates a key whose values are stored in the default coding of their type.
    @inlinable
    public init(
        _ id: String,
        defaultValue: Value,
        in range: (any RangeExpression<Value> & Sendable)? = nil,
        _ options: PersistentKeyOption<Value>...
    ) where Value: PrefsStorable {
        let coding = Value.defaultPrefsCoding
        self.init(id, .value(defaultValue)) { coding }
        if range != nil || !options.isEmpty { declare(options, in: range) }
    }

    /// Creates a key with an optional value that is stored in the default coding of its type; `nil` is always accepted.
    @inlinable
    public init<Wrapped: PrefsStorable>(
        _ id: String,
        defaultValue: Value = nil,
        in range: (any RangeExpression<Wrapped> & Sendable)? = nil,
        _ options: PersistentKeyOption<Value>...
    ) where Value == Wrapped? {
        let coding = Wrapped.defaultPrefsCoding.optionalPrefsCoding
        self.init(id, .value(defaultValue)) { coding }
        if range != nil || !options.isEmpty { declare(options, in: range) }
    }

    /// Creates a key whose default is computed at each read that needs it, for example from another setting.
    ///
    /// The closure is called on any thread that reads the key or commits a change. No mutex is held, and the
    /// closure may use any storage. It must not read its own key, not even indirectly, because it would then call
    /// itself without end.
    @inlinable
    public init(
        _ id: String,
        coding: some PrefsCoding<Value>,
        _ options: PersistentKeyOption<Value>...,
        default defaultValue: @escaping @Sendable () -> Value
    ) {
        self.init(id, .computed(defaultValue)) { coding }
        if !options.isEmpty { declare(options) }
    }

    /// Creates a key whose default is computed at each read that needs it.
    @inlinable
    public init(
        _ id: String,
        _ options: PersistentKeyOption<Value>...,
        default defaultValue: @escaping @Sendable () -> Value
    ) where Value: PrefsStorable {
        let coding = Value.defaultPrefsCoding
        self.init(id, .computed(defaultValue)) { coding }
        if !options.isEmpty { declare(options) }
    }
}

extension PersistentKey {
    /// Creates a key whose values are stored in a form that two closures convert, as in `@Pref(encode:decode:)`.
    ///
    /// ```swift
    /// PersistentKey("verbose", defaultValue: false, encode: { $0 ? 1 : 0 }, decode: { $0 == 1 })
    /// ```
    ///
    /// - Parameters:
    ///   - id: The name, or dotted path, under which the value is stored.
    ///   - defaultValue: The value if no layer has an acceptable one.
    ///   - encode: Returns the stored form of a value, such as a `String` or an `Int`, or `nil` if the value cannot be
    ///     stored.
    ///   - decode: Returns the value of a stored form, or `nil` if the stored form is not valid.
    ///   - range: The accepted values, checked before any other validation; `nil` for all.
    ///   - options: The optional parts of the declaration.
    public init<Stored: PrefsStorageValue>(
        _ id: String,
        defaultValue: Value,
        encode: @escaping @Sendable (Value) -> Stored?,
        decode: @escaping @Sendable (Stored) -> Value?,
        in range: (any RangeExpression<Value> & Sendable)? = nil,
        _ options: PersistentKeyOption<Value>...
    ) {
        self.init(id, .value(defaultValue)) { ClosurePrefsCoding(encode: encode, decode: decode) }
        declare(options, in: range)
    }

    /// Creates a key with an optional value that is stored in a form that two closures convert; `nil` is always accepted.
    public init<Wrapped: Sendable, Stored: PrefsStorageValue>(
        _ id: String,
        defaultValue: Value = nil,
        encode: @escaping @Sendable (Wrapped) -> Stored?,
        decode: @escaping @Sendable (Stored) -> Wrapped?,
        in range: (any RangeExpression<Wrapped> & Sendable)? = nil,
        _ options: PersistentKeyOption<Value>...
    ) where Value == Wrapped? {
        self.init(id, .value(defaultValue)) {
            ClosurePrefsCoding(encode: encode, decode: decode).optionalPrefsCoding
        }
        declare(options, in: range)
    }
}

// Disfavored, so that a type with a default coding is stored in that coding. Collections have initializers of
// their own, because their elements need not have a default coding.
extension PersistentKey {
    /// Creates a key whose values, such as cases of an enum, are stored as their raw values.
    ///
    /// ```swift
    /// enum Mode: String, CaseIterable { case relay, submit }
    ///
    /// PersistentKey("mode", defaultValue: Mode.relay)
    /// ```
    ///
    /// A stored value that is not a raw value is rejected. If the type is `CaseIterable`, the message lists the
    /// allowed values and suggests the nearest.
    @_disfavoredOverload
    public init(_ id: String, defaultValue: Value, _ options: PersistentKeyOption<Value>...)
    where Value: RawRepresentable, Value.RawValue: PrefsStorageValue {
        self.init(id, .value(defaultValue)) { RawRepresentablePrefsCoding<Value>() }
        declare(options)
    }

    /// Creates a key with an optional value that is stored as its raw value.
    @_disfavoredOverload
    public init<Wrapped: RawRepresentable>(
        _ id: String, defaultValue: Value = nil, _ options: PersistentKeyOption<Value>...
    ) where Value == Wrapped?, Wrapped.RawValue: PrefsStorageValue {
        self.init(id, .value(defaultValue)) { RawRepresentablePrefsCoding<Wrapped>().optionalPrefsCoding }
        declare(options)
    }

    /// Creates a key with an array or a dictionary whose elements are stored as their raw values.
    @_disfavoredOverload
    public init(_ id: String, defaultValue: Value, _ options: PersistentKeyOption<Value>...)
    where
        Value: PrefsElementwise, Value.StoredElement: RawRepresentable & Sendable,
        Value.StoredElement.RawValue: PrefsStorageValue
    {
        self.init(id, .value(defaultValue)) {
            Value.prefsCoding(element: RawRepresentablePrefsCoding<Value.StoredElement>())
        }
        declare(options)
    }

    /// Creates a key with an optional array or dictionary whose elements are stored as their raw values.
    @_disfavoredOverload
    public init<Wrapped: PrefsElementwise>(
        _ id: String, defaultValue: Value = nil, _ options: PersistentKeyOption<Value>...
    )
    where
        Value == Wrapped?, Wrapped.StoredElement: RawRepresentable & Sendable,
        Wrapped.StoredElement.RawValue: PrefsStorageValue
    {
        self.init(id, .value(defaultValue)) {
            Value.prefsCoding(element: RawRepresentablePrefsCoding<Wrapped.StoredElement>())
        }
        declare(options)
    }
}

// Disfavored, and with one more parameter than the initializers for raw values. If several of them accept a type,
// the compiler prefers the initializers for a default coding, then the ones for raw values, then these.
extension PersistentKey {
    /// Creates a key whose values are stored natively.
    ///
    /// A struct is stored as a dictionary, and its fields are merged over all layers (``PrefsMerge/fields``).
    ///
    /// ```swift
    /// struct Route: Codable { var host: String; var timeout: Duration }
    ///
    /// PersistentKey("routes", defaultValue: [Route]())
    /// ```
    @_disfavoredOverload
    public init(
        _ id: String,
        defaultValue: Value,
        coding: CodablePrefsCoding<Value> = CodablePrefsCoding(),
        _ options: PersistentKeyOption<Value>...
    ) where Value: Codable {
        self.init(id, .value(defaultValue)) { coding }
        declare(options, merge: CodablePrefsCoding<Value>.merge)
    }

    /// Creates a key with an optional value that is stored natively.
    @_disfavoredOverload
    public init<Wrapped: Codable>(
        _ id: String,
        defaultValue: Value = nil,
        coding: CodablePrefsCoding<Wrapped> = CodablePrefsCoding(),
        _ options: PersistentKeyOption<Value>...
    ) where Value == Wrapped? {
        self.init(id, .value(defaultValue)) { coding.optionalPrefsCoding }
        declare(options, merge: CodablePrefsCoding<Wrapped>.merge)
    }
}

extension CodablePrefsCoding {
    /// The merge of keys of this type, unless an option declares another one. Collections are replaced.
    static var merge: PrefsMerge { Value.self is any Collection.Type ? .replacing : .fields }
}
