import LayeredPrefs

/// One edit that has been accepted, as it is logged: keys and files, without values.
struct AcceptedEdit {
    let keys: [String]
    let shadowed: [String]
    /// The files that set the keys now, or did before.
    let files: [String]
    let generation: UInt64

    /// Creates the description of a commit; `nil` if this program has written the values itself.
    init?(_ set: PrefsChangeSet) {
        if set.cause == .write { return nil }
        (keys, shadowed, generation) = (set.changes.keys, set.shadowed, set.generation)
        if keys.isEmpty, shadowed.isEmpty { return nil }
        var files: Set<String> = []
        for change in set.changes {
            files.formUnion([change.new, change.old].compactMap(\.origin?.file).prefix(1))
        }
        self.files = files.sorted()
    }

    /// One line: `now using the new version: requestTimeout`.
    var message: String {
        keys.isEmpty
            ? "now using the new version; other layers override \(shadowed.listed)"
            : "now using the new version: \(keys.listed)"
    }
}
