/// The way in which imported values are combined with those that a storage already holds.
///
/// Importing `["a": 3, "c": 4]` into a storage that holds `["a": 1, "b": 2]` results in `["a": 3, "c": 4]`
/// with ``reinitializing`` and in `["a": 3, "b": 2, "c": 4]` with ``updating``.
public enum PrefsStorageUpdateStrategy: Sendable {
    /// The imported values replace all existing ones.
    case reinitializing
    /// The imported values are added, or replace those of the same keys; other keys remain.
    case updating
    /// Like ``updating``, except that the closure decides for each key that already has a value.
    case updatingWithPredicate(_ predicate: UpdatePredicate)

    /// Decides between the existing and the imported value of a key, both as plain Swift values: `Int`,
    /// `[String]`.
    public typealias UpdatePredicate =
        @Sendable (_ key: String, _ oldValue: Any, _ newValue: Any) throws -> ValueUpdateResult

    /// The decision between an existing and an imported value.
    public enum ValueUpdateResult: Sendable, Hashable {
        /// Keeps the storage's value.
        case preserveOldValue
        /// Takes the imported value.
        case takeNewValue
    }
}
