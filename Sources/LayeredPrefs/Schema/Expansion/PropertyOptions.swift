import PrefsDocuments

/// The way in which the dictionaries that several layers hold for one key are combined.
///
/// Given `["a": 1, "b": 2]` in the system layer and `["b": 3]` in the user layer, the value is `["b": 3]`
/// with ``replacing`` and `["a": 1, "b": 3]` with ``deep``.
public enum PrefsMerge: Sendable, Hashable {
    /// The topmost layer's dictionary replaces the others.
    case replacing
    /// The dictionaries are merged by key; where several have an entry, the highest layer's wins.
    case deep
}

extension PrefsExpansion {
    /// The optional parts of a preference's declaration.
    public struct PropertyOptions<Value> {
        var traits = PrefsKeyTraits<Value>()
        var limits = PrefsKeyLimits()
        /// The source text of the condition.
        var validation: String?
        private let encode: @Sendable (Value) -> PrefsValue?

        /// The Swift type as spelled in the source; empty if it is inferred.
        public var swiftType = ""
        /// The documentation comment.
        public var documentation: String? {
            get { traits.documentation }
            set { traits.documentation = newValue }
        }
        /// True if the value must not appear in anything shown to people.
        public var isSecret: Bool {
            get { traits.isSecret }
            set { traits.isSecret = newValue }
        }
        /// The environment variable, if the declaration names one.
        public var environmentName: String? {
            get { traits.environmentName }
            set { traits.environmentName = newValue }
        }
        /// The former names of the key.
        public var formerNames: [String] {
            get { traits.formerNames }
            set { traits.formerNames = newValue }
        }
        /// The way in which dictionaries of several layers are combined.
        public var merge: PrefsMerge {
            get { traits.mergesDeeply ? .deep : .replacing }
            set { traits.mergesDeeply = newValue == .deep }
        }
        /// True if a change takes effect only after a restart.
        public var needsRestart: Bool {
            get { traits.needsRestart }
            set { traits.needsRestart = newValue }
        }

        init(_ coding: any PrefsValueCoding<Value>) where Value: Sendable {
            encode = { (try? coding.encode($0)) ?? nil }
            limits.values = coding.allStoredForms
        }
    }
}

extension PrefsExpansion.PropertyOptions {
    /// Rejects values outside a range.
    public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
    where Bounds.Bound == Value, Value: Sendable {
        limit(to: bounds) { bounds.contains($0) }
    }

    /// Rejects values outside a range; `nil` is always accepted.
    public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
    where Value == Bounds.Bound? {
        limit(to: bounds) { $0.map(bounds.contains) ?? true }
    }

    private mutating func limit<Bounds: RangeExpression>(
        to bounds: Bounds, _ contains: @escaping @Sendable (Value) -> Bool
    ) {
        if let bounds = bounds as? any BoundsNaming {
            let encoded = bounds.limits { value in
                (value as? Value).flatMap(encode)
            }
            limits.minimum = encoded.minimum
            limits.maximum = encoded.maximum
            limits.excludesMaximum = encoded.excludesMaximum
        }
        let expected = limits.description.isEmpty ? "\(bounds)" : limits.description
        add { contains($0) ? nil : "expected \(expected)" }
    }

    /// Rejects values that do not satisfy a condition.
    ///
    /// - Parameters:
    ///   - text: The source text of the condition.
    ///   - condition: Returns true if a value is accepted.
    public mutating func check(_ text: String, _ condition: @escaping @Sendable (Value) -> Bool) {
        validation = text
        add { condition($0) ? nil : "expected a value that satisfies \(text)" }
    }

    /// Rejects values for which a closure returns a message.
    ///
    /// - Parameters:
    ///   - text: The source text of the closure.
    ///   - complaint: Returns what is wrong with a value, or `nil` if it is accepted.
    public mutating func check(_ text: String, _ complaint: @escaping @Sendable (Value) -> String?) {
        validation = text
        add(complaint)
    }

    /// Rejects values that do not satisfy a condition; `nil` is always accepted.
    public mutating func checkWrapped<Wrapped>(
        _ text: String, _ condition: @escaping @Sendable (Wrapped) -> Bool
    ) where Value == Wrapped? {
        check(text) { $0.map(condition) ?? true }
    }

    /// Rejects values for which a closure returns a message; `nil` is always accepted.
    public mutating func checkWrapped<Wrapped>(
        _ text: String, _ complaint: @escaping @Sendable (Wrapped) -> String?
    ) where Value == Wrapped? {
        check(text) { $0.flatMap(complaint) }
    }

    private mutating func add(_ check: @escaping @Sendable (Value) -> String?) {
        guard let earlier = traits.validate else {
            traits.validate = check
            return
        }
        traits.validate = { earlier($0) ?? check($0) }
    }
}

/// A range whose bounds can be listed.
private protocol BoundsNaming {
    func limits(_ encode: (Any) -> PrefsValue?) -> PrefsKeyLimits
}

extension PrefsKeyLimits {
    fileprivate init(_ minimum: PrefsValue?, _ maximum: PrefsValue?, excludesMaximum: Bool = false) {
        self.init()
        self.minimum = minimum
        self.maximum = maximum
        self.excludesMaximum = excludesMaximum
    }
}

extension ClosedRange: BoundsNaming {
    fileprivate func limits(_ encode: (Any) -> PrefsValue?) -> PrefsKeyLimits {
        PrefsKeyLimits(encode(lowerBound), encode(upperBound))
    }
}

extension Range: BoundsNaming {
    fileprivate func limits(_ encode: (Any) -> PrefsValue?) -> PrefsKeyLimits {
        PrefsKeyLimits(encode(lowerBound), encode(upperBound), excludesMaximum: true)
    }
}

extension PartialRangeFrom: BoundsNaming {
    fileprivate func limits(_ encode: (Any) -> PrefsValue?) -> PrefsKeyLimits {
        PrefsKeyLimits(encode(lowerBound), nil)
    }
}

extension PartialRangeThrough: BoundsNaming {
    fileprivate func limits(_ encode: (Any) -> PrefsValue?) -> PrefsKeyLimits {
        PrefsKeyLimits(nil, encode(upperBound))
    }
}

extension PartialRangeUpTo: BoundsNaming {
    fileprivate func limits(_ encode: (Any) -> PrefsValue?) -> PrefsKeyLimits {
        PrefsKeyLimits(nil, encode(upperBound), excludesMaximum: true)
    }
}
