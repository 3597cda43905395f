/// Changes to one file, merged into a dictionary of the edit of each key, so that two changes below one
/// missing parent create it once.
package struct EditTree {
    /// The edits, in the order in which their keys were first named.
    private(set) var entries: [(key: String, edit: Change)] = []
    private var indices: [String: Int] = [:]

    init() {}

    /// Merges edits. Later ones win; a change below a value that an earlier one set changes that value.
    ///
    /// - Parameter limits: The limits of the file, which would be unreadable if a key exceeded them.
    package init(
        _ edits: [PrefsDocument.Edit], limits: PrefsLimits = .standard
    ) throws(PrefsError) {
        for edit in edits {
            try limits.check(edit.path)
            try apply(edit.value, at: edit.path[...])
        }
    }

    fileprivate mutating func apply(_ value: PrefsValue?, at path: ArraySlice<String>) throws(PrefsError) {
        guard let key = path.first else {
            throw PrefsError(.unsupported, reason: "an edit needs a key; a file's root cannot be replaced")
        }
        let index = entry(for: key)
        let rest = path.dropFirst()
        guard !rest.isEmpty else {
            entries[index].edit = value.map(EditTree.Change.set) ?? .remove
            return
        }
        do { try entries[index].edit.apply(value, at: rest) } catch let error { throw error.below(key) }
    }

    /// Returns the index of a key's entry, which is added if there is none.
    private mutating func entry(for key: String) -> Int {
        if let index = indices[key] { return index }
        indices[key] = entries.count
        entries.append((key, .change(EditTree())))
        return entries.count - 1
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
    /// Adds an edit below the key, in place: many edits below one key must not copy each other.
    fileprivate mutating func apply(_ value: PrefsValue?, at path: ArraySlice<String>) throws(PrefsError) {
        if var edits = takeEdits() {
            defer { self = .change(edits) }
            return try edits.apply(value, at: path)
        }
        let edit = try EditTree([PrefsDocument.Edit(path: Array(path), value: value)])
        if var content = takeContent() {
            defer { self = .set(.dictionary(content)) }
            return try edit.apply(to: &content)
        }
        switch self {
        case .set(let other):
            if value != nil { throw PrefsError.notADictionary(other.kind) }
        case .remove, .change: self = edit.created.map { .set(.dictionary($0)) } ?? .remove
        }
    }

    /// Returns the edits below the key and releases them.
    private mutating func takeEdits() -> EditTree? {
        guard case .change(let edits) = self else { return nil }
        self = .remove
        return edits
    }

    /// Returns the entries of the dictionary that the key is set to, and releases them.
    private mutating func takeContent() -> [String: PrefsValue]? {
        guard case .set(.dictionary(let content)) = self else { return nil }
        self = .remove
        return content
    }
}

extension EditTree {
    /// The dictionary that these changes create where there was none; `nil` if they only remove.
    var created: [String: PrefsValue]? {
        var content: [String: PrefsValue] = [:]
        for (key, edit) in entries {
            switch edit {
            case .set(let value): content[key] = value
            case .remove: break
            case .change(let inner): content[key] = inner.created.map(PrefsValue.dictionary)
            }
        }
        return content.isEmpty ? nil : content
    }

    /// Applies these changes to the content of a dictionary.
    package func apply(to content: inout [String: PrefsValue]) throws(PrefsError) {
        for (key, edit) in entries {
            switch edit {
            case .set(let value): content[key] = value
            case .remove: content[key] = nil
            case .change(let inner):
                do { content[key] = try inner.changed(content[key]) } catch let error {
                    throw error.below(key)
                }
            }
        }
    }

    private func changed(_ value: PrefsValue?) throws(PrefsError) -> PrefsValue? {
        guard let value else { return created.map(PrefsValue.dictionary) }
        guard case .dictionary(var content) = value else {
            // Below a value that is not a dictionary there is nothing to remove.
            guard created != nil else { return value }
            throw PrefsError.notADictionary(value.kind)
        }
        try apply(to: &content)
        return .dictionary(content)
    }
}

extension PrefsError {
    /// A key cannot be set below a value that holds no keys; only the caller may decide to replace that
    /// value.
    static func notADictionary(_ kind: PrefsValue.Kind) -> PrefsError {
        PrefsError(.wrongType, reason: "expected a dictionary to hold the key below it, found \(kind)")
    }
}
