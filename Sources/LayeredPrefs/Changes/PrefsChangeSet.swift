public import PrefsDocuments

/// The changes of one commit.
///
/// If `user` sets `a` to 1, and an edit of the `system` file sets `a` to 2 and `b` to 3, the change of `b`
/// from `nil` to 3 is in ``changes`` and `a` is in ``shadowed``.
public struct PrefsChangeSet: Sendable {
    /// The committed generation.
    public var generation: UInt64
    /// The cause of the changes.
    public var cause: PrefsChangeCause
    /// The changes of effective values, sorted by key.
    public internal(set) var changes: Elements
    /// The keys whose lock, or value in some layer, changed without an effect on the effective value, sorted. Something
    /// above a key that is no dictionary is no value of the key.
    public var shadowed: [String]
}

extension PrefsChangeSet {
    /// The changes of one commit, sorted by key.
    ///
    /// One edit can change every key of a large file, so only the keys are stored, and a change is resolved
    /// whenever it is accessed. For that, the collection keeps the contents before and after the commit in
    /// memory. Any thread may access it.
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

        /// The number of changes.
        public var endIndex: Int { keys.count }

        /// Resolves a change.
        public subscript(position: Int) -> PrefsChange<PrefsValue?> { resolve(keys[position]) }

        /// Returns the changes of some of the keys, without resolving them.
        package func keeping(_ isKept: (_ key: String) -> Bool) -> Elements {
            Elements(of: keys.filter(isKept), resolve)
        }
    }
}

extension PrefsChangeSet.Elements: CustomStringConvertible, CustomReflectable {
    /// The descriptions of all changes, with those of secrets masked.
    public var description: String { Array(self).description }

    /// The changes, resolved.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .collection) }
}
