import PrefsDocuments

/// The optional parts of a key's declaration, besides its type and default: its range, and each
/// ``PersistentKeyOption``.
package struct PrefsKeyTraits<Value: Sendable>: Sendable {
    /// Validates a decoded value. Returns the reason to reject the value, as a phrase such as `expected
    /// 1...65535`, or `nil` to accept it.
    package var validate: (@Sendable (Value) -> String?)?
    /// The requirement of ``validate`` besides the range, as a sentence for administrators; `nil` for nothing.
    package var condition: String?
    /// The allowed values, as far as they can be listed; other values are rejected by ``validate``.
    package var limits: PrefsStoredType.Limits { makeLimits?() ?? PrefsStoredType.Limits() }
    // Computed only for messages and documents, because a key is often created for a single read.
    private var makeLimits: (@Sendable () -> PrefsStoredType.Limits)?
    /// True if the value is omitted from output, logs and exports that do not ask for it explicitly.
    package var isSecret = false
    /// The environment variable's name, if it is not derived from the key.
    package var environmentName: String?
    /// Former names of this key. They are read in a source that lacks the present name.
    package var formerNames: [String] = []
    /// The way to combine the dictionaries of several layers.
    package var merge: PrefsMerge = .replacing
    /// True if a change takes effect only after a restart. Observers find this in ``PrefsChange/needsRestart``.
    package var needsRestart = false
    /// The key's documentation, for generated references.
    package var documentation: String?

    /// True if only a debug build reads and writes the key.
    package var isDebugOnly = false
    /// The value of a debug key in a release build; `nil` for the default.
    package var releaseValue: Value?

    /// Creates the traits that options declare.
    ///
    /// - Parameter merge: The way to merge values, unless an option declares another one.
    init(_ options: [PersistentKeyOption<Value>] = [], merge: PrefsMerge = .replacing) {
        self.merge = merge
        for option in options { option.apply(&self) }
    }

    /// True if the dictionaries of all layers merge into the value, at any depth. If false, the topmost dictionary
    /// replaces the others.
    package var mergesDeeply: Bool { merge != .replacing }

    /// True if the declaration has no optional part.
    var areDefault: Bool {
        arePlain && !isDebugOnly && !needsRestart && documentation == nil && makeLimits == nil
    }

    /// True if the layers are read at all. False for a debug key in a release build.
    var areMutable: Bool { !isDebugOnly || DebugKeys.areMutable }

    var arePlain: Bool {
        validate == nil && !isSecret && environmentName == nil && formerNames.isEmpty && !mergesDeeply
            && areMutable
    }
}

extension PrefsKeyTraits {
    /// Rejects values outside a range, before any other validation.
    ///
    /// - Parameter contains: Returns true if the range contains a value, and for `nil`, which is always accepted.
    mutating func limit(
        to bounds: any RangeExpression & Sendable, coding: any PrefsCoding<Value>,
        _ contains: @escaping @Sendable (Value) -> Bool
    ) {
        let makeLimits: @Sendable () -> PrefsStoredType.Limits = {
            PrefsStoredType.Limits(bounds) { value in (value as? Value).flatMap { try? coding.encode($0) } }
        }
        self.makeLimits = makeLimits
        let later = validate
        validate = { value in
            if contains(value) { return later?(value) }
            let allowed = makeLimits().description
            return "expected \(allowed.isEmpty ? "\(bounds)" : allowed)"
        }
    }

    /// Sets the allowed values. A validation must already reject all others.
    mutating func state(_ limits: PrefsStoredType.Limits) { makeLimits = { limits } }

    /// Returns a sentence about a validation. A phrase may tell the requirement of the validation.
    static func sentence(requiring condition: String?) -> String {
        condition.map { "the program also requires \($0)" } ?? "the program also checks the value"
    }

    /// Adds a validation after any earlier one. It returns a message for a value that it rejects.
    mutating func check(
        requiring condition: String? = nil, _ check: @escaping @Sendable (Value) -> String?
    ) {
        if condition != nil || self.condition == nil { self.condition = Self.sentence(requiring: condition) }
        let earlier = validate
        validate = { earlier?($0) ?? check($0) }
    }
}

/// A range whose bounds can be listed.
private protocol BoundsNaming {
    typealias Bounds = (minimum: Any?, maximum: Any?, excludesMaximum: Bool)

    var named: Bounds { get }
}

extension ClosedRange: BoundsNaming { fileprivate var named: Bounds { (lowerBound, upperBound, false) } }
extension Range: BoundsNaming { fileprivate var named: Bounds { (lowerBound, upperBound, true) } }
extension PartialRangeFrom: BoundsNaming { fileprivate var named: Bounds { (lowerBound, nil, false) } }
extension PartialRangeThrough: BoundsNaming { fileprivate var named: Bounds { (nil, upperBound, false) } }
extension PartialRangeUpTo: BoundsNaming { fileprivate var named: Bounds { (nil, upperBound, true) } }

extension PrefsStoredType.Limits {
    /// Creates the limits of a range. There are none if the bounds of the range cannot be listed.
    init(_ range: any RangeExpression, _ encode: (Any) -> PrefsValue?) {
        self.init()
        guard let bounds = (range as? any BoundsNaming)?.named else { return }
        (minimum, maximum) = (bounds.minimum.flatMap(encode), bounds.maximum.flatMap(encode))
        excludesMaximum = bounds.excludesMaximum
    }
}
