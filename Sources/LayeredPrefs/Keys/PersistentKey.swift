/// A typed key with a name, a default and a coding of its value.
///
/// ```swift
/// extension PersistentKey where Value == Int {
///     static var port: Self { Self("http.port", defaultValue: 8080) }
/// }
///
/// let port = storage.get(.port)
/// ```
///
/// Further arguments are optional: `in:` rejects values outside a range, and each ``PersistentKeyOption`` declares
/// one more property.
///
/// ```swift
/// PersistentKey("http.port", defaultValue: 8080, in: 1...65535, .formerly("port"), .needsRestart)
/// ```
///
/// A setting that may be absent has an optional type: `PersistentKey<Int?>`.
///
/// A key of a struct keeps the value that it decoded last, so that reading an unchanged struct costs no more than
/// copying it. If you read such a key often, keep the key itself in a constant:
///
/// ```swift
/// let serverKey = PersistentKey("server", defaultValue: ServerOptions())
/// ```
public struct PersistentKey<Value: Sendable>: Identifiable, Sendable {
    /// The name, or dotted path, under which the value is stored. A part of a path that contains a dot is quoted, as in
    /// TOML: `routes."example.com"`.
    public let id: String

    // Programs create a key at each use, so a key without options must cost nothing. The initializers are inlined
    // into the program, and the rarely used traits are in a box. A function returns the coding, and captures
    // nothing if the coding has no state. A stored coding can have any size: it would keep the whole key in
    // memory, to be destroyed after each use.
    @usableFromInline let makeCoding: @Sendable () -> any PrefsCoding<Value>
    @usableFromInline var declared: DeclaredTraits<Value>?
    @usableFromInline var fallback: Fallback

    @usableFromInline
    enum Fallback: Sendable {
        case value(Value)
        case computed(@Sendable () -> Value)
    }

    /// The optional parts of the key's declaration.
    package var traits: PrefsKeyTraits<Value> {
        get { declared?.traits(coding: makeCoding) ?? PrefsKeyTraits() }
        set { declared = DeclaredTraits(newValue) }
    }

    /// The coding of the stored value.
    @inlinable public var coding: any PrefsCoding<Value> { makeCoding() }

    /// A Boolean value that indicates whether layers are read and written at all.
    ///
    /// It is `false` for a debug key in a release build. The value of such a key is the default, or the value that
    /// is declared for release builds, and a write returns ``PrefsWriteOutcome/notStored``.
    public var isMutable: Bool { declared?.areMutable ?? true }

    /// A Boolean value that indicates whether the topmost stored value is effective as soon as it decodes.
    ///
    /// Such a key is mutable. It has no former names, no environment name of its own, no validation, no secrecy
    /// and no deep merge. Reading it is fastest.
    @inlinable public var isPlain: Bool { declared?.arePlain ?? true }

    /// Returns the value that this thread decoded last, if it belongs to this generation.
    @inlinable
    func decodedValue(at generation: UInt64) -> Value? { declared?.decoded?.value(at: generation) }

    /// The value if no layer has an acceptable one.
    @inlinable public var defaultValue: Value {
        switch fallback {
        case .value(let value): value
        case .computed(let value): value()
        }
    }

    @inlinable
    init(
        _ id: String,
        _ fallback: Fallback,
        makeCoding: @escaping @Sendable () -> any PrefsCoding<Value>
    ) {
        self.id = id
        self.makeCoding = makeCoding
        self.fallback = fallback
    }
}

extension PersistentKey {
    /// Sets the optional parts of the declaration.
    @inlinable
    mutating func declare(
        _ options: [PersistentKeyOption<Value>], in range: (any RangeExpression<Value> & Sendable)?
    ) {
        declare(options, in: range, nil, nil)
    }

    /// Sets the optional parts of an optional value's declaration.
    @inlinable
    mutating func declare<Wrapped>(
        _ options: [PersistentKeyOption<Value>], in range: (any RangeExpression<Wrapped> & Sendable)?
    ) where Value == Wrapped? {
        guard let range else { return declare(options, in: nil, nil, nil) }
        declare(options, in: nil, range) { $0.map { range.contains($0) } ?? true }
    }

    @inlinable
    mutating func declare(
        _ options: [PersistentKeyOption<Value>], in range: (any RangeExpression<Value> & Sendable)?,
        _ optionalRange: (any RangeExpression & Sendable)?, _ contains: (@Sendable (Value) -> Bool)?
    ) {
        var (effects, count): (KeyOptionEffects, Int) = ([], 0)
        var validate: (@Sendable (Value) -> String?)?
        for option in options {
            effects.formUnion(option.effects)
            guard let own = option.validate else { continue }
            (validate, count) = (own, count + 1)
        }
        if effects.contains(.lookup) || count > 1 {
            return apply(options, in: range, optionalRange, contains)
        }
        declared = DeclaredTraits(options, in: range, optionalRange, contains, validate, effects)
    }

    /// Sets the optional parts of the declaration; if there are none, the key allocates nothing for them.
    ///
    /// - Parameter merge: The way to merge values, unless an option declares another one.
    @usableFromInline
    mutating func declare(_ options: [PersistentKeyOption<Value>], merge: PrefsMerge = .replacing) {
        if merge != .replacing { return apply(options, in: nil, nil, nil, merge: merge) }
        if !options.isEmpty { declare(options, in: nil, nil, nil) }
    }

    /// Applies options at once.
    @usableFromInline
    mutating func apply(
        _ options: [PersistentKeyOption<Value>], in range: (any RangeExpression<Value> & Sendable)?,
        _ optionalRange: (any RangeExpression & Sendable)?, _ contains: (@Sendable (Value) -> Bool)?,
        merge: PrefsMerge = .replacing
    ) {
        var traits = PrefsKeyTraits(options, merge: merge)
        traits.limit(to: range, optionalRange, contains, coding: makeCoding)
        declare(traits)
    }

    /// Sets the optional parts of the declaration; if there are none, the key allocates nothing for them.
    mutating func declare(_ traits: PrefsKeyTraits<Value>) {
        if !traits.areDefault { replaceTraits(traits) }
    }

    /// Replaces all optional parts of the declaration.
    mutating func replaceTraits(_ traits: PrefsKeyTraits<Value>) {
        self.traits = traits
        if let value = traits.releaseValue, !traits.areMutable { fallback = .value(value) }
    }
}

extension PersistentKey: Equatable where Value: Equatable {
    /// Compares the names and the defaults of two keys. Codings are not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.id == rhs.id && lhs.defaultValue == rhs.defaultValue
    }
}

extension PersistentKey: Hashable where Value: Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(defaultValue)
    }
}
