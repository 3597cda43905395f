@testable import LayeredPrefs

extension Live {
    /// The closures that accept changes of the configuration.
    ///
    /// - Precondition: The configuration is not a part of another one.
    var handlers: ApplyHandlers<Value> { (content as! WholeConfiguration<Value>).handlers }
}
