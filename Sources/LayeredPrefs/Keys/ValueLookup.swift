/// Everything, besides the layers, that determines a key's stored value.
@usableFromInline
struct ValueLookup: Sendable {
    /// Everything besides the name that determines the result.
    @usableFromInline
    struct Kind: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt

        @inlinable init(rawValue: UInt) { self.rawValue = rawValue }

        /// A flag on the command line needs no value.
        @inlinable static var boolean: Self { Self(rawValue: 1) }
        /// The value may also come from a file that a variable names.
        @inlinable static var secret: Self { Self(rawValue: 2) }
        /// The name combines several names; see ``Names``.
        @inlinable static var severalNames: Self { Self(rawValue: 4) }

        /// A coding without state parses the text. The address of its type has none of the bits above.
        fileprivate static func parsed(by coding: any PrefsCoding.Type) -> Self {
            Self(rawValue: UInt(bitPattern: ObjectIdentifier(coding)))
        }
    }

    /// The names of a key that has former names or an environment name.
    final class Names: Sendable {
        let text: String

        init(of key: PrefsKeyName) {
            text = "\([key.name] + key.formerNames) \(key.environmentName.debugDescription) \(key.sections)"
        }
    }

    /// The names of a key, composed when they are first needed. Unlike the key, this type is not generic: generic
    /// code would look up the type of the reference at each access.
    @usableFromInline
    struct LazyNames: ~Copyable, Sendable {
        private let names = LazyObject<Names>()

        /// The names, if they have been composed.
        @usableFromInline var text: String? { names.object?.text }

        /// Keeps the names, unless another thread has already kept some. Returns the names that are kept.
        func keep(_ composed: Names) -> String { names.keep(composed).text }
    }

    @usableFromInline let name: String
    @usableFromInline let kind: Kind

    @inlinable
    init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// Returns the lookup of a text that a coding parses; `nil` if two codings of its type may parse differently.
    @usableFromInline
    func parsed<Coding: PrefsCoding>(by coding: Coding) -> ValueLookup? {
        guard MemoryLayout<Coding>.size == 0 else { return nil }
        return ValueLookup(name, kind.union(.parsed(by: Coding.self)))
    }
}

extension PersistentKey {
    /// The lookup of the key's topmost stored value; `nil` if that value may be acceptable without being
    /// effective.
    @inlinable var lookup: ValueLookup? {
        var kind: ValueLookup.Kind = Value.self == Bool.self || Value.self == Bool?.self ? .boolean : []
        guard let declared else { return ValueLookup(id, kind) }
        guard declared.readTopmostValue else { return nil }
        if declared.areSecret { kind.formUnion(.secret) }
        if declared.haveOneName { return ValueLookup(id, kind) }
        return ValueLookup(declared.names(of: self), kind.union(.severalNames))
    }
}
