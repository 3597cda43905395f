import PrefsDocuments
import Synchronization

/// The optional parts of a key's declaration.
///
/// A key is often created for a single read, as by a computed `static var`. So the options are applied only when more of
/// them is needed than such a read asks for, and what such a read does is compiled into the program, for the key's type.
/// The initializers are not: if they were, the compiler would take their constants for those of all traits.
@usableFromInline
final class DeclaredTraits<Value: Sendable>: Sendable {
    private let options: [PersistentKeyOption<Value>]
    /// The range of the values, unless the options have been applied already.
    @usableFromInline let range: (any RangeExpression<Value> & Sendable)?
    /// The range of optional values.
    @usableFromInline let optionalRange: OptionalRange?
    /// The validation besides the range.
    @usableFromInline let validate: (@Sendable (Value) -> String?)?
    /// The traits, once the options have been applied.
    private let applied = AtomicLazyReference<AppliedTraits>()
    /// The names of a key that has several.
    private let names = AtomicLazyReference<ValueLookup.Names>()

    let areMutable: Bool
    @usableFromInline let arePlain: Bool
    /// True if the topmost stored value is effective as soon as the key accepts it.
    @usableFromInline let readTopmostValue: Bool
    /// True if the value is looked up by the key's name alone.
    @usableFromInline let haveOneName: Bool
    @usableFromInline let areSecret: Bool
    /// The last value, if merging and decoding it takes long, and if it is no secret, which would be kept for
    /// longer than it is effective.
    @usableFromInline let decoded: DecodedValueCache<Value>?
    /// The stack that has read the key last.
    private let reader = Atomic<UInt64>(0)

    /// The range of a key whose value is optional.
    @usableFromInline
    struct OptionalRange: Sendable {
        let bounds: any RangeExpression & Sendable
        @usableFromInline let contains: @Sendable (Value) -> Bool

        @usableFromInline
        init(_ bounds: any RangeExpression & Sendable, _ contains: @escaping @Sendable (Value) -> Bool) {
            (self.bounds, self.contains) = (bounds, contains)
        }
    }

    /// Creates the traits of a key whose value is looked up by its name and not merged.
    ///
    /// - Parameters:
    ///   - validate: What the options say about values.
    ///   - effects: The effects of the options.
    @usableFromInline
    init(
        _ options: [PersistentKeyOption<Value>], in range: (any RangeExpression<Value> & Sendable)?,
        _ optionalRange: OptionalRange?, _ validate: (@Sendable (Value) -> String?)?,
        _ effects: KeyOptionEffects
    ) {
        (self.options, self.range, self.optionalRange) = (options, range, optionalRange)
        self.validate = validate
        areMutable = true
        arePlain = effects.isEmpty && range == nil && optionalRange == nil
        readTopmostValue = true
        haveOneName = true
        areSecret = effects.contains(.secrecy)
        decoded = nil
    }

    /// Creates the traits that have been applied already.
    init(_ traits: PrefsKeyTraits<Value>) {
        (options, range, optionalRange, validate) = ([], nil, nil, traits.validate)
        (areMutable, arePlain, areSecret) = (traits.areMutable, traits.arePlain, traits.isSecret)
        haveOneName = traits.formerNames.isEmpty && traits.environmentName == nil
        readTopmostValue = areMutable && !traits.mergesDeeply
        decoded = traits.mergesDeeply && !areSecret ? DecodedValueCache() : nil
        _ = applied.storeIfNil(Applied(traits))
    }

    /// Notes that a stack reads the key; returns false if it was the last one that did.
    ///
    /// - Parameter stack: The number of the stack.
    func isFirstUse(in stack: UInt64) -> Bool {
        if reader.load(ordering: .relaxed) == stack { return false }
        reader.store(stack, ordering: .relaxed)
        return true
    }
}

/// Traits that have been applied. Without a parameter, so that a key of any type is released fast.
///
/// Sendable: it has no properties. A class that has subclasses cannot be checked, so ``Applied`` says it again.
private class AppliedTraits: @unchecked Sendable {}

/// Sendable: its only property is a constant, and `PrefsKeyTraits` is `Sendable`.
private final class Applied<Value: Sendable>: AppliedTraits, @unchecked Sendable {
    let traits: PrefsKeyTraits<Value>

    init(_ traits: PrefsKeyTraits<Value>) { self.traits = traits }
}

extension DeclaredTraits {
    /// Returns the traits.
    ///
    /// - Parameter coding: Returns the coding of the key.
    func traits(coding: () -> any PrefsCoding<Value>) -> PrefsKeyTraits<Value> {
        if let applied = applied.load() as? Applied<Value> { return applied.traits }
        var traits = PrefsKeyTraits(options)
        traits.limit(to: range, optionalRange, coding: coding)
        let applied = applied.storeIfNil(Applied(traits)) as? Applied<Value>
        return applied?.traits ?? traits
    }

    /// True if some values are rejected although they decode.
    @inlinable var areValidated: Bool { range != nil || optionalRange != nil || validate != nil }

    /// Returns true if the key accepts a value.
    @inlinable
    func accept(_ value: Value) -> Bool {
        if let range, !range.contains(value) { return false }
        if let optionalRange, !optionalRange.contains(value) { return false }
        return validate.map { $0(value) == nil } ?? true
    }

    /// Returns the names of a key that has several.
    @usableFromInline
    func names(of key: PersistentKey<Value>) -> String {
        if let known = names.load() { return known.text }
        return names.storeIfNil(ValueLookup.Names(of: key.name)).text
    }
}

extension PrefsKeyTraits {
    /// Rejects values outside a range, if there is one.
    mutating func limit(
        to range: (any RangeExpression<Value> & Sendable)?,
        _ optionalRange: DeclaredTraits<Value>.OptionalRange?, coding: () -> any PrefsCoding<Value>
    ) {
        if let range { limit(to: range, coding: coding()) { range.contains($0) } }
        if let optionalRange {
            limit(to: optionalRange.bounds, coding: coding(), optionalRange.contains)
        }
    }
}
