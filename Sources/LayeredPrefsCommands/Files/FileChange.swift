import FileWatching
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The contents of a file at one moment.
struct FileContents: Sendable {
    /// `nil` if there is no file.
    let bytes: [UInt8]?
    /// Empty for a file that is no document, such as a locks file.
    let values: [String: PrefsValue]

    /// - Throws: ``PrefsError`` if the file cannot be read.
    init(of file: String) throws(PrefsError) {
        self.init(try PrefsFileReader.read(file)?.bytes, of: file)
    }

    /// Creates the contents that a command found in a file, or wrote to it.
    init(_ bytes: [UInt8]?, of file: String) {
        self.bytes = bytes
        let isDocument = PrefsFileFormat.stem(of: file) != nil
        values =
            isDocument ? bytes.flatMap { try? PrefsDocument(parsing: $0, path: file).content } ?? [:] : [:]
    }
}

/// The change that a command made to a file.
struct FileChange: Sendable {
    typealias Value = (key: String, value: PrefsValue?)

    let file: String
    /// The changed keys with their values after the change; `nil` for a removed value. A change of a whole file
    /// lists all keys of the file.
    let values: [Value]
    /// The keys that the command locked.
    let locked: [String]
    /// The keys that the command unlocked.
    let unlocked: [String]
    /// All keys that the locks file locks after the change.
    let locks: [String]
    /// The contents before and after the write; `nil` if the change will not be undone.
    private let undoing: (before: FileContents, after: FileContents)?

    /// Creates the change of some keys. Call it immediately after the write.
    ///
    /// - Parameters:
    ///   - written: The values that the command wrote; `nil` for a removed value. They cannot be read back from
    ///     the file, because somebody else may already have changed it.
    ///   - before: The contents before the write; `nil` if the change will not be undone.
    init(of file: String, writing written: [Value], since before: FileContents?) throws(PrefsError) {
        let after = try FileContents(of: file)
        let names = Set(after.values.leaves + (before?.values.leaves ?? []))
        var stored: [String: PrefsValue] = [:]
        for (key, value) in written where value != nil { stored.put(value, at: PrefsPath(key)) }
        let (snapshot, wanted) = (PrefsSnapshot(stored), Set(written.map(\.key)))
        var (own, covered): ([String], Set<String>) = ([], [])
        for name in names {
            let path = PrefsPath(name)
            let above = path.ancestors.map(\.name) + [name]
            if wanted.isDisjoint(with: above) { continue }
            own.append(name)
            covered.formUnion(above)
        }
        own += written.map(\.key).filter { !covered.contains($0) }
        values = own.sorted().map { ($0, snapshot[$0]) }
        (self.file, undoing) = (file, before.map { ($0, after) })
        (locked, unlocked, locks) = ([], [], [])
    }

    /// Creates the change of a whole file.
    ///
    /// - Parameter versions: The bytes before and after the write.
    init(of file: String, replacing versions: ReplacedBytes) {
        let (before, after) = (FileContents(versions.old, of: file), FileContents(versions.new, of: file))
        let new = PrefsSnapshot(after.values)
        let names = Set(before.values.leaves + after.values.leaves)
        values = names.sorted().map { ($0, new[$0]) }
        (self.file, undoing) = (file, (before, after))
        (locked, unlocked, locks) = ([], [], [])
    }

    /// Creates the change of a locks file.
    ///
    /// - Parameters:
    ///   - versions: The bytes before and after the write.
    ///   - locked: The keys that the command locked.
    ///   - unlocked: The keys that the command unlocked.
    init(
        ofLocks file: String, replacing versions: ReplacedBytes, locking locked: [String] = [],
        unlocking unlocked: [String] = []
    ) throws(PrefsError) {
        let (before, after) = (FileContents(versions.old, of: file), FileContents(versions.new, of: file))
        (self.file, values, undoing) = (file, [], (before, after))
        (self.locked, self.unlocked) = (locked, unlocked)
        locks = try LocksText(after.bytes, path: file).keys
    }
}

/// The bytes of a file before and after a write; `nil` if there was no file. The writer saw them while it held the
/// file lock.
struct ReplacedBytes {
    var old: [UInt8]?
    var new: [UInt8]?

    var isChange: Bool { old != new }
}

extension FileChange {
    /// Undoes the change and prints the keys that were put back. Keys that somebody else has changed since are
    /// left and named.
    func undo() throws {
        guard let (before, after) = undoing, before.bytes != after.bytes else { return }
        if try putBack(before, after) { return Output.complain("prefs: \(file): put back as it was") }
        if file.hasSuffix(".locks") { return try putBackLocks(before, after) }
        let old = PrefsSnapshot(before.values)
        let changed = values.filter { old[$0.key] != $0.value }
        let left = try putBack(changed, to: old)
        let own = changed.map(\.key).filter { !left.contains($0) }
        if !own.isEmpty { Output.complain("prefs: \(file): put back \(own.joined(separator: ", "))") }
        for key in left {
            Output.complain("prefs: \(key): left in \(file), because somebody else has changed it since")
        }
    }

    /// Puts the file back as a whole. If somebody else has changed it, changes nothing and returns false.
    private func putBack(_ before: FileContents, _ after: FileContents) throws -> Bool {
        // Somebody else may have changed other keys even before `after` was read.
        let (old, new) = (PrefsSnapshot(before.values), PrefsSnapshot(after.values))
        let others = Set(before.values.leaves + after.values.leaves).subtracting(values.map(\.key))
        guard others.allSatisfy({ old[$0] == new[$0] }), values.allSatisfy({ new[$0.key] == $0.value })
        else { return false }
        if before.bytes == nil, (try? linkStatus(of: file))??.isLink ?? true { return false }
        var isUnchanged = false
        try PrefsFileWriter(file).replace { bytes in
            isUnchanged = bytes == after.bytes
            guard isUnchanged else { return nil }
            // The writer still holds the file lock here.
            if before.bytes == nil, unsafe unlink(file) == 0 { return nil }
            return before.bytes ?? []
        }
        return isUnchanged
    }

    /// Puts some keys back. Returns the keys that somebody else has changed.
    private func putBack(_ changed: [Value], to old: PrefsSnapshot) throws -> [String] {
        var options = FilePrefsStorage.Options()
        options.diagnostics = .silent
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        var left: [String] = []
        try FilePrefsStorage(path: file, options: options).update { content in
            left = []
            let present = PrefsSnapshot(content)
            for (key, written) in changed where present[key] != old[key] {
                if present[key] == written {
                    content.put(old[key], at: PrefsPath(key))
                } else {
                    left.append(key)
                }
            }
        }
        return left
    }

    /// Puts the lines of a locks file back.
    private func putBackLocks(_ before: FileContents, _ after: FileContents) throws {
        let old = try LocksText(before.bytes, path: file).keys
        let new = try LocksText(after.bytes, path: file).keys
        let (added, removed) = (new.filter { !old.contains($0) }, old.filter { !new.contains($0) })
        try PrefsFileWriter(file).replace { bytes in
            var text = try LocksText(bytes, path: file)
            for key in added { text.remove(key) }
            for key in removed where !text.keys.contains(key) { text.add(key) }
            return text.bytes
        }
        Output.complain("prefs: \(file): put back \((added + removed).joined(separator: ", "))")
    }
}

extension [String: PrefsValue] {
    /// Sets the value at a path, where the dictionary spells it. With `nil`, removes the value and any dictionary
    /// that becomes empty.
    fileprivate mutating func put(_ value: PrefsValue?, at path: PrefsPath) {
        if self[path.name] == nil {
            put(value, at: path.components[...])
        } else {
            self[path.name] = value
        }
    }

    private mutating func put(_ value: PrefsValue?, at path: ArraySlice<String>) {
        guard let key = path.first else { return }
        guard path.count > 1 else { return self[key] = value }
        var inner = self[key]?.dictionary ?? [:]
        inner.put(value, at: path.dropFirst())
        self[key] = inner.isEmpty && value == nil ? nil : .dictionary(inner)
    }
}
