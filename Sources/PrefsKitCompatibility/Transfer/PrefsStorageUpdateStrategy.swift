/// The way to combine imported values with the existing values of a storage.
///
/// For example, a storage holds `["a": 1, "b": 2]`, and you import `["a": 3, "c": 4]`. The result is `["a": 3, "c": 4]`
/// with ``reinitializing``, and `["a": 3, "b": 2, "c": 4]` with ``updating``.
public enum PrefsStorageUpdateStrategy: Sendable {
    /// The imported values replace all existing ones.
    case reinitializing
    /// The imported values are added. They replace existing values of the same keys, and other keys remain.
    case updating
    /// Like ``updating``, except that the closure decides for each key that already has a value.
    case updatingWithPredicate(_ predicate: UpdatePredicate)

    /// A closure that decides between the existing and the imported value of a key. Both are plain Swift values, such
    /// as `Int` or `[String]`.
    public typealias UpdatePredicate =
        @Sendable (_ key: String, _ oldValue: Any, _ newValue: Any) throws -> ValueUpdateResult

    /// A decision between an existing and an imported value.
    public enum ValueUpdateResult: Sendable, Hashable {
        /// Keeps the existing value.
        case preserveOldValue
        /// Takes the imported value.
        case takeNewValue
    }
}
