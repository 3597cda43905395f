public import PrefsDocuments

/// The changes of one commit.
///
/// For example, `user` sets `a` to 1, and an edit of the `system` file sets `a` to 2 and `b` to 3. Then
/// ``changes`` contains the change of `b` from `nil` to 3, and ``shadowed`` contains `a`.
public struct PrefsChangeSet: Sendable {
    /// The committed generation.
    public var generation: UInt64
    /// The cause of the changes.
    public var cause: PrefsChangeCause
    /// The changes of effective values, sorted by key.
    public internal(set) var changes: Elements
    /// The keys that changed without an effect on their effective values, sorted.
    ///
    /// A key is listed if its lock changed, or its value in some layer. If a layer sets `http` to something
    /// that is not a dictionary, this does not count as a value of `http.port`.
    public var shadowed: [String]
}

extension PrefsChangeSet {
    /// The changes of one commit, sorted by key.
    ///
    /// The collection stores only the keys, because one edit can change every key of a large file. Each
    /// access to an element resolves that change. For this purpose, the collection keeps the contents before
    /// and after the commit in memory. Any thread may access it.
    public struct Elements: RandomAccessCollection, Sendable {
        /// The changed keys, sorted.
        public let keys: [String]
        private let resolve: @Sendable (_ key: String) -> PrefsChange<PrefsValue?>

        init(of keys: [String], _ resolve: @escaping @Sendable (_ key: String) -> PrefsChange<PrefsValue?>) {
            self.keys = keys
            self.resolve = resolve
        }

        /// The position of the first change: 0.
        public var startIndex: Int { 0 }

        /// The position after the last change, which is the number of changes.
        public var endIndex: Int { keys.count }

        /// The change at a position, resolved on access.
        public subscript(position: Int) -> PrefsChange<PrefsValue?> { resolve(keys[position]) }

        /// Returns the changes of some of the keys, without resolving them.
        package func keeping(_ isKept: (_ key: String) -> Bool) -> Elements {
            Elements(of: keys.filter(isKept), resolve)
        }
    }
}

extension PrefsChangeSet.Elements: CustomStringConvertible, CustomReflectable {
    /// The descriptions of all changes. The values of secrets are masked.
    public var description: String { Array(self).description }

    /// The resolved changes.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
