/// The bounds of a key's range, if it is a closed range of `Int`, the most common one.
///
/// Asking a range of any type whether it contains a value copies it, and calls code that is compiled for any type.
@usableFromInline
struct IntegerBounds: Sendable {
    @usableFromInline let lower: Int
    @usableFromInline let upper: Int

    /// Returns `nil` for a range of another type.
    init?<Range: RangeExpression>(of range: Range) {
        guard Range.self == ClosedRange<Int>.self else { return nil }
        // It has this type; a cast that finds out takes longer than the read for which the key may have been created.
        let bounds = unsafe unsafeBitCast(range, to: ClosedRange<Int>.self)
        (lower, upper) = (bounds.lowerBound, bounds.upperBound)
    }

    @inlinable func contain(_ value: Int) -> Bool { lower <= value && value <= upper }
}
