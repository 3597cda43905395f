extension PrefsExpansion {
    /// Returns the cell for values of a type that fits into 64 bits.
    ///
    /// Being the more specialized overload, it is preferred where both apply.
    public static func cell<Value: Scalar>(_: Value.Type) -> ScalarCell<Value> { ScalarCell() }

    /// Returns the cell for values of any other type.
    public static func cell<Value: Sendable>(_: Value.Type) -> ValueCell<Value> { ValueCell() }

    /// Returns the cell for values of an expression's type. The expression is not evaluated.
    public static func cell<Value: Scalar>(like _: @autoclosure () -> Value) -> ScalarCell<Value> {
        ScalarCell()
    }

    /// Returns the cell for values of an expression's type. The expression is not evaluated.
    public static func cell<Value: Sendable>(like _: @autoclosure () -> Value) -> ValueCell<Value> {
        ValueCell()
    }
}
