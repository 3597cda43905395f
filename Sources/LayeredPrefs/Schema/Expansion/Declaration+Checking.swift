import PrefsDocuments
/// How the dictionaries that several layers have for one key make its value.
public enum PrefsMerge: Sendable, Hashable {
    /// The topmost layer's value replaces the others.
    case replacing
    /// Dictionaries merge by key, higher layers first.
    case deep
}

extension PrefsExpansion.Declaration {
    /// Refuses values outside a range.
    public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
    where Bounds.Bound == Value {
        limit(to: bounds) { bounds.contains($0) }
    }

    /// Refuses values outside a range; no value is always accepted.
    public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
    where Value == Bounds.Bound? {
        limit(to: bounds) { $0.map(bounds.contains) ?? true }
    }

    private mutating func limit<Bounds: RangeExpression>(
        to bounds: Bounds, _ contains: @escaping @Sendable (Value) -> Bool
    ) {
        if let bounds = bounds as? any BoundsNaming {
            let encoded = bounds.limits { value in
                (value as? Value).flatMap { try? representation.encode($0) }
            }
            limits.minimum = encoded.minimum
            limits.maximum = encoded.maximum
            limits.excludesMaximum = encoded.excludesMaximum
        }
        let expected = limits.description.isEmpty ? "\(bounds)" : limits.description
        add { contains($0) ? nil : "expected \(expected)" }
    }

    /// Refuses values that fail a condition.
    ///
    /// - Parameter text: The condition as it is written.
    public mutating func check(_ text: String, _ condition: @escaping @Sendable (Value) -> Bool) {
        validation = text
        add { condition($0) ? nil : "expected a value that passes \(text)" }
    }

    /// Refuses values that a closure finds something wrong with.
    public mutating func check(_ text: String, _ complaint: @escaping @Sendable (Value) -> String?) {
        validation = text
        add(complaint)
    }

    /// Refuses values that fail a condition; no value is always accepted.
    public mutating func checkWrapped<Wrapped>(
        _ text: String, _ condition: @escaping @Sendable (Wrapped) -> Bool
    ) where Value == Wrapped? {
        check(text) { $0.map(condition) ?? true }
    }

    /// Refuses values that a closure finds something wrong with; no value is always accepted.
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

/// A range that can say its bounds.
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
