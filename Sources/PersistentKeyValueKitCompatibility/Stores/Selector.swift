/// A function that a store calls when a value changes. It replaces an Objective-C selector, which Linux does not have.
///
/// Instead of `#selector(valueWillChange)`, write `Selector { … }`.
public struct Selector: Sendable {
    private let body: @Sendable () -> Void

    /// Creates a selector from the function it calls.
    public init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    /// Calls the function.
    public func callAsFunction() { body() }
}
