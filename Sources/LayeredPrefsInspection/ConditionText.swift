/// A condition that only the program can check, as a sentence for an administrator.
package enum ConditionText {
    /// Returns the sentence of a condition, which may be stated in words or as source code.
    package static func sentence(_ condition: String) -> String {
        condition.hasPrefix("{")
            ? "the program also checks the value with a rule of its own"
            : "the program also requires: \(condition)"
    }
}
