/// Changes to one file, merged into one change for each key. Two changes below a missing parent create it only
/// once.
package struct EditTree {
    /// The changes. Their order is the order of the first edit of each key.
    private(set) var entries: [Entry] = []
    /// The index of each key among the entries.
    private var indices: [String: Int] = [:]

    /// A key and the change to it.
    struct Entry {
        let key: String
        var edit: Change
    }

    init() {}

    /// Returns the change to a key.
    subscript(key: String) -> Change? { indices[key].map { entries[$0].edit } }

    /// Merges edits. Later edits win. An edit below a value that an earlier edit sets changes that value.
    ///
    /// - Parameter limits: The limits of the file. A key that exceeds them would make the file unreadable.
    package init(
        _ edits: [PrefsDocument.Edit], limits: PrefsLimits = .standard
    ) throws(PrefsError) {
        entries.reserveCapacity(edits.count)
        for edit in edits {
            try limits.check(edit.path)
            try apply(edit.value, at: edit.path[...])
        }
    }

    fileprivate mutating func apply(_ value: PrefsValue?, at path: ArraySlice<String>) throws(PrefsError) {
        guard let key = path.first else {
            throw PrefsError(.unsupported, reason: "an edit needs a key; a file's root cannot be replaced")
        }
        do {
            let rest = path.dropFirst()
            guard !rest.isEmpty else { return put(value.map(EditTree.Change.set) ?? .remove, for: key) }
            put(try take(key).applying(value, at: rest), for: key)
        } catch let error {
            throw error.below(key)
        }
    }

    /// Takes the edit of a key, so that it is changed in place instead of copied.
    private mutating func take(_ key: String) -> EditTree.Change {
        guard let index = indices[key] else { return .change(EditTree()) }
        return exchange(&entries[index].edit, with: .remove)
    }

    private mutating func put(_ edit: EditTree.Change, for key: String) {
        if let index = indices[key] {
            entries[index].edit = edit
        } else {
            indices[key] = entries.count
            entries.append(Entry(key: key, edit: edit))
        }
    }
}

extension PrefsLimits {
    /// Throws if a key at a path would make a file unreadable.
    fileprivate func check(_ path: [String]) throws(PrefsError) {
        let length = path.reduce(path.count - 1) { $0 + $1.utf8.count }
        guard length > keyLength || path.count > depth else { return }
        let problem =
            path.count > depth
            ? "the key is nested in \(path.count - 1) dictionaries; the limit is \(depth - 1)"
            : "the key is \(length) bytes long; the limit is \(keyLength)"
        let shown = path.joined(separator: ".").unicodeScalars.prefix(60)
        throw PrefsError(.tooLarge, key: String(shown) + "…", reason: problem)
    }
}

extension EditTree {
    /// The change to one key.
    enum Change {
        case set(PrefsValue)
        case remove
        /// Changes the key's dictionary, or creates it.
        case change(EditTree)
    }
}

extension EditTree.Change {
    /// Returns this change followed by an edit below its key.
    fileprivate consuming func applying(
        _ value: PrefsValue?, at path: ArraySlice<String>
    ) throws(PrefsError) -> EditTree.Change {
        switch consume self {
        case .change(var edits):
            try edits.apply(value, at: path)
            return .change(edits)
        case .set(let whole):
            var changed: PrefsValue? = consume whole
            try EditTree([PrefsDocument.Edit(path: Array(path), value: value)]).change(&changed)
            return changed.map { .set($0) } ?? .remove
        case .remove:
            let created = try EditTree([PrefsDocument.Edit(path: Array(path), value: value)]).created
            return created.map { .set(.dictionary($0)) } ?? .remove
        }
    }
}

extension EditTree {
    /// The dictionary that these changes create if there is none; `nil` if they only remove.
    var created: [String: PrefsValue]? {
        let content: [String: PrefsValue] = entries.reduce(into: [:]) { $0[$1.key] = $1.edit.created }
        return content.isEmpty ? nil : content
    }

    /// Applies these changes to the content of a dictionary.
    package func apply(to content: inout [String: PrefsValue]) throws(PrefsError) {
        for entry in entries {
            guard case .change(let inner) = entry.edit else {
                content[entry.key] = entry.edit.created
                continue
            }
            do { try inner.change(&content[entry.key]) } catch let error { throw error.below(entry.key) }
        }
    }

    /// Applies these changes to a dictionary in place, so that changing one entry does not copy the others;
    /// creates it if there is no value.
    fileprivate func change(_ value: inout PrefsValue?) throws(PrefsError) {
        guard let kind = value?.kind else {
            value = created.map(PrefsValue.dictionary)
            return
        }
        guard case .dictionary(var content)? = value else {
            // Below a value that is not a dictionary there is nothing to remove.
            guard created != nil else { return }
            throw PrefsError.notADictionary(kind)
        }
        // Releases the other reference to the entries.
        value = .dictionary([:])
        defer { value = .dictionary(content) }
        try apply(to: &content)
    }
}

extension PrefsError {
    /// A key cannot be set below a value that holds no keys; only the caller may decide to replace that
    /// value.
    static func notADictionary(_ kind: PrefsValue.Kind) -> PrefsError {
        PrefsError(.wrongType, reason: "expected a dictionary to hold the key below it, found \(kind)")
    }
}
