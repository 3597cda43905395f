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

extension PrefsExpansion.Declaration {
    /// Rejects values outside a range.
    public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
    where Bounds.Bound == Value {
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
                (value as? Value).flatMap { try? coding.encode($0) }
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
