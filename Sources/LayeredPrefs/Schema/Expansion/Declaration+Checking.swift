extension PrefsExpansion.Declaration {
    /// Rejects values outside a range.
    public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
    where Bounds.Bound == Value {
        traits.limit(to: bounds, coding: coding)
    }

    /// Rejects values outside a range; `nil` is always accepted.
    public mutating func limit<Bounds: RangeExpression & Sendable>(to bounds: Bounds)
    where Value == Bounds.Bound? {
        traits.limit(to: bounds, coding: coding)
    }

    /// Rejects values that do not satisfy a condition.
    ///
    /// - Parameters:
    ///   - text: The source text of the condition.
    ///   - condition: Returns true if a value is accepted.
    public mutating func check(_ text: String, _ condition: @escaping @Sendable (Value) -> Bool) {
        validation = text
        traits.check { condition($0) ? nil : "expected a value that satisfies \(text)" }
    }

    /// Rejects values for which a closure returns a message.
    ///
    /// - Parameters:
    ///   - text: The source text of the closure.
    ///   - complaint: Returns what is wrong with a value, or `nil` if it is accepted.
    public mutating func check(_ text: String, _ complaint: @escaping @Sendable (Value) -> String?) {
        validation = text
        traits.check(complaint)
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
}
