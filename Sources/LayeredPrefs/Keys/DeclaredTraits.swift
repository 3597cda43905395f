import PrefsDocuments
import Synchronization

/// The optional parts of a key's declaration.
///
/// A key is often created for a single read, for example by a computed `static var`. So we apply the options only
/// when more of them is needed than such a read asks for. The code of such a read is compiled into the program,
/// for the key's type. The initializers are not. Otherwise, the compiler would take their constants for the
/// constants of all traits.
@usableFromInline
final class DeclaredTraits<Value: Sendable>: Sendable {
    private let options: [PersistentKeyOption<Value>]
    /// The range of the values, unless the options have been applied already.
    @usableFromInline let range: (any RangeExpression<Value> & Sendable)?
    @usableFromInline let integerBounds: IntegerBounds?
    /// The range of optional values, and a closure that returns true if the range contains a value. They are two
    /// properties, because creating and releasing a generic struct would look up its type.
    private let optionalRange: (any RangeExpression & Sendable)?
    @usableFromInline let optionalRangeContains: (@Sendable (Value) -> Bool)?
    /// The validation besides the range.
    @usableFromInline let validate: (@Sendable (Value) -> String?)?
    /// The traits, once the options have been applied.
    private let lazy = LazyTraits()
    /// The names of a key that has several.
    @usableFromInline let names = ValueLookup.LazyNames()

    let areMutable: Bool
    @usableFromInline let arePlain: Bool
    /// True if the topmost stored value is effective as soon as the key accepts it.
    @usableFromInline let readTopmostValue: Bool
    /// True if the value is looked up by the key's name alone.
    @usableFromInline let haveOneName: Bool
    @usableFromInline let areSecret: Bool
    /// True if some values are rejected although they decode.
    @usableFromInline let areValidated: Bool
    /// True if there is a range. Stored, because comparing a range with `nil` copies it.
    @usableFromInline let areLimited: Bool
    /// The last value, if merging and decoding it takes long. A secret is not kept, because it would be in memory
    /// for longer than it is effective.
    @usableFromInline let decoded: DecodedValueCache<Value>?
    /// The number of the stack that has read the key last.
    private let reader = Atomic<UInt64>(0)

    /// Creates the traits of a key whose value is looked up by its name and not merged.
    ///
    /// - Parameters:
    ///   - contains: Returns true for `nil`, and for a value in the range of optional values.
    ///   - validate: The validation that the options declare.
    ///   - effects: The effects of the options.
    @usableFromInline
    init(
        _ options: [PersistentKeyOption<Value>], in range: (any RangeExpression<Value> & Sendable)?,
        _ optionalRange: (any RangeExpression & Sendable)?, _ contains: (@Sendable (Value) -> Bool)?,
        _ validate: (@Sendable (Value) -> String?)?, _ effects: KeyOptionEffects
    ) {
        (self.options, self.range, self.validate) = (options, range, validate)
        integerBounds = if let range { IntegerBounds(of: range) } else { nil }
        (self.optionalRange, optionalRangeContains) = (optionalRange, contains)
        areMutable = true
        areLimited = range != nil || contains != nil
        areValidated = areLimited || validate != nil
        arePlain = effects.isEmpty && !areLimited
        readTopmostValue = true
        haveOneName = true
        areSecret = effects.contains(.secrecy)
        decoded = nil
    }

    /// Creates the traits that have been applied already.
    init(_ traits: PrefsKeyTraits<Value>) {
        (options, range, integerBounds, validate) = ([], nil, nil, traits.validate)
        (optionalRange, optionalRangeContains) = (nil, nil)
        (areMutable, arePlain, areSecret) = (traits.areMutable, traits.arePlain, traits.isSecret)
        (areLimited, areValidated) = (false, traits.validate != nil)
        haveOneName = traits.formerNames.isEmpty && traits.environmentName == nil
        readTopmostValue = areMutable && !traits.mergesDeeply
        decoded = traits.mergesDeeply && !areSecret ? DecodedValueCache() : nil
        _ = lazy.keep(Applied(traits))
    }

    /// Notes that a stack reads the key. Returns false if the same stack was the last one to read the key.
    ///
    /// - Parameter stack: The number of the stack.
    func isFirstUse(in stack: UInt64) -> Bool {
        if reader.load(ordering: .relaxed) == stack { return false }
        reader.store(stack, ordering: .relaxed)
        return true
    }
}

/// The bounds of a key's range, if it is a closed range of `Int`, the most common one.
///
/// `RangeExpression.contains` copies the range, and calls code that is not specialized.
@usableFromInline
struct IntegerBounds: Sendable {
    @usableFromInline let lower: Int
    @usableFromInline let upper: Int

    /// Returns `nil` for a range of another type.
    init?<Range: RangeExpression>(of range: Range) {
        guard Range.self == ClosedRange<Int>.self else { return nil }
        // The range has this type. A cast that checks it takes longer than the read that the key may be created
        // for.
        let bounds = unsafe unsafeBitCast(range, to: ClosedRange<Int>.self)
        (lower, upper) = (bounds.lowerBound, bounds.upperBound)
    }

    @inlinable func contain(_ value: Int) -> Bool { lower <= value && value <= upper }
}

/// Traits that have been applied. The class is not generic, so that a key of any type is released fast.
///
/// Sendable: it has no properties. The compiler cannot check a class with subclasses, so ``Applied`` declares it
/// again.
private class AppliedTraits: @unchecked Sendable {}

/// The traits, once they have been applied.
private struct LazyTraits: ~Copyable, Sendable {
    private let traits = LazyObject<AppliedTraits>()

    var applied: AppliedTraits? { traits.object }

    func keep(_ applied: AppliedTraits) -> AppliedTraits { traits.keep(applied) }
}

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
        if let applied = lazy.applied as? Applied<Value> { return applied.traits }
        var traits = PrefsKeyTraits(options)
        traits.limit(to: range, optionalRange, optionalRangeContains, coding: coding)
        let applied = lazy.keep(Applied(traits)) as? Applied<Value>
        return applied?.traits ?? traits
    }

    /// Returns true if the key accepts a value.
    @inlinable
    func accept(_ value: Value) -> Bool {
        if areLimited, !rangeContains(value) { return false }
        return validate.map { $0(value) == nil } ?? true
    }

    @inlinable
    func rangeContains(_ value: Value) -> Bool {
        if Value.self == Int.self, let integerBounds, let value = value as? Int {
            return integerBounds.contain(value)
        }
        return range?.contains(value) ?? optionalRangeContains?(value) ?? true
    }

    /// Returns the names of a key that has several.
    @inlinable
    func names(of key: PersistentKey<Value>) -> String { names.text ?? composedNames(of: key) }

    @usableFromInline
    func composedNames(of key: PersistentKey<Value>) -> String { names.keep(ValueLookup.Names(of: key.name)) }
}

extension PrefsKeyTraits {
    /// Rejects values outside a range, if there is one.
    mutating func limit(
        to range: (any RangeExpression<Value> & Sendable)?,
        _ optionalRange: (any RangeExpression & Sendable)?, _ contains: (@Sendable (Value) -> Bool)?,
        coding: () -> any PrefsCoding<Value>
    ) {
        if let range { limit(to: range, coding: coding()) { range.contains($0) } }
        if let optionalRange, let contains { limit(to: optionalRange, coding: coding(), contains) }
    }
}
