/// The function that a store calls when a value changes. It stands in for Objective-C's selectors, which Linux
/// does not have: instead of `#selector(valueWillChange)`, write `Selector { … }`.
public struct Selector: Sendable {
    private let body: @Sendable () -> Void

    /// Creates a selector from the function it calls.
    public init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Calls the function.
    public func callAsFunction() { body() }
}
