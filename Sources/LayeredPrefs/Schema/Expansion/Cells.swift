extension PrefsExpansion {
    /// The cell for values of a type; this one, being more special, is preferred where both apply.
    public static func cell<Value: Scalar>(_: Value.Type) -> ScalarCell<Value> { ScalarCell() }

    /// The cell for values of a type.
    public static func cell<Value: Sendable>(_: Value.Type) -> ValueCell<Value> { ValueCell() }

    /// The cell for values of the type that an expression has, which is not evaluated.
    public static func cell<Value: Scalar>(like _: @autoclosure () -> Value) -> ScalarCell<Value> {
        ScalarCell()
    }

    /// The cell for values of the type that an expression has, which is not evaluated.
    public static func cell<Value: Sendable>(like _: @autoclosure () -> Value) -> ValueCell<Value> {
        ValueCell()
    }
}
