import PrefsDocuments
import PrefsSystem

/// The open files of a folder of drop-ins.
final class DropInFiles: Sendable {
    private struct State {
        /// The path of the folder.
        var path: String
        /// The names of the drop-ins in the last good listing, by the name without its extension. Of several
        /// formats only one may exist, and the first is the preferred one.
        var names: [FileName: [FileName]] = [:]
        /// The names in the last good listing, without the extensions.
        var listed: Set<FileName> = []
        /// The names that this program writes, by the name without its extension; they are open although there
        /// may be no file.
        var written: [FileName: FileName] = [:]
        /// The names of the masks in the last good listing, without their extensions.
        var masks: Set<FileName> = []
        /// Names, without extensions, that a more important folder masks; these files are not even opened.
        var hidden: Set<FileName> = []
        /// The open files, by the name without its extension.
        var files: [FileName: DropIn] = [:]
        /// The files in byte order of their names; `nil` after one has been added or removed.
        var sorted: [DropIn]?

        /// Indicates whether a file should be open.
        func wants(_ name: FileName) -> Bool { names[name] != nil && !hidden.contains(name) }
    }

    /// An open file.
    struct DropIn: Sendable {
        let name: FileName
        /// The paths of which one should exist, the preferred one first.
        fileprivate let paths: [String]
        let storage: FilePrefsStorage
    }

    private let options: FilePrefsStorage.Options
    private let changes: PrefsChangeSource
    /// The files of the next less important folder, which the masks of this one hide.
    private let lower: DropInFiles?
    /// The paths of files that are read as if they were in the folder, by their names.
    private let additional: [FileName: String]
    /// True if every file, not only a mask, hides those of the same name in less important folders.
    private let hidesLower: Bool
    // Mutex order: the listing's, then that of this folder, then that of `lower`. Files are opened under
    // none.
    private let state: Lock<State>

    init(
        in path: String, options: FilePrefsStorage.Options, changes: PrefsChangeSource, lower: DropInFiles?,
        additional: [FileName: String], hidesLower: Bool
    ) {
        state = Lock(State(path: path))
        (self.options, self.changes) = (options, changes)
        (self.lower, self.additional, self.hidesLower) = (lower, additional, hidesLower)
    }

    /// The files in byte order of their names.
    var sorted: [DropIn] {
        state.withLock { state in
            if let sorted = state.sorted { return sorted }
            let sorted = state.files.values.sorted { $0.name < $1.name }
            state.sorted = sorted
            return sorted
        }
    }
}

extension DropInFiles {
    /// The files to open and to close after a listing.
    struct Changes: Sendable {
        fileprivate var missing: [(folder: DropInFiles, name: FileName)] = []
        /// The files that may now exist in another format, or in another folder.
        fileprivate var renamed: [(folder: DropInFiles, name: FileName)] = []
        fileprivate var gone: [(folder: DropInFiles, name: FileName)] = []

        fileprivate var isEmpty: Bool { missing.isEmpty && renamed.isEmpty && gone.isEmpty }
    }

    /// Takes over the listing of a folder.
    func note(_ names: Set<FileName>, masks: Set<FileName>, in path: String) -> Changes {
        state.withLock { state in
            var changes = Changes()
            state.path = path
            state.masks = Set(masks.map(\.stem))
            state.names = Dictionary(grouping: names, by: \.stem).mapValues { names in
                names.sorted { options.rank(of: $0) ?? 0 < options.rank(of: $1) ?? 0 }
            }
            state.listed = Set(state.names.keys)
            state.names.merge(state.written.mapValues { [$0] }) { listed, _ in listed }
            settle(&state, &changes)
            return changes
        }
    }

    /// Finds the files that are gone or hidden and those to open, and passes the masks on.
    private func settle(_ state: inout State, _ changes: inout Changes) {
        changes.gone += state.files.keys.filter { !state.wants($0) }.map { (self, $0) }
        let missing = state.names.keys.filter { state.wants($0) && state.files[$0] == nil }
        changes.missing += missing.map { (self, $0) }
        for (name, names) in state.names {
            let paths = paths(names, in: state.path)
            guard let dropIn = state.files[name], dropIn.paths != paths else { continue }
            state.files[name] = DropIn(name: names[0], paths: paths, storage: dropIn.storage)
            state.sorted = nil
            changes.renamed.append((self, name))
        }
        let hidden = state.hidden.union(state.masks)
        lower?.hide(hidesLower ? hidden.union(state.listed) : hidden, &changes)
    }

    private func hide(_ names: Set<FileName>, _ changes: inout Changes) {
        state.withLock { state in
            guard state.hidden != names else { return }
            state.hidden = names
            settle(&state, &changes)
        }
    }

    private func paths(_ names: [FileName], in path: String) -> [String] {
        names.map { additional[$0] ?? "\(path)/\($0.description)" }
    }

    /// Opens and closes files, with no mutex held; returns the notifications to deliver, and `nil` if there
    /// is nothing to do.
    func apply(_ changes: Changes, _ cause: PrefsChangeCause) -> [PrefsNotification]? {
        if changes.isEmpty { return nil }
        for (folder, name) in changes.missing { folder.open(name) }
        let notifications = changes.renamed.compactMap { folder, name in folder.choosePaths(of: name, cause) }
        // Only now, so that the settings of a file are in force until those of the one that replaces it are.
        for (folder, name) in changes.gone { folder.close(name) }
        self.changes.notePublication(at: PrefsChangeSource.nextGeneration())
        return notifications
    }

    /// Reads a file under the paths that it has by now; again if another thread has listed the folder meanwhile.
    private func choosePaths(of name: FileName, _ cause: PrefsChangeCause) -> PrefsNotification? {
        var (chosen, notification) = ([] as [String], nil as PrefsNotification?)
        while let dropIn = state.withLock({ $0.files[name] }), dropIn.paths != chosen {
            chosen = dropIn.paths
            notification = dropIn.storage.choose(anyOf: chosen, cause) ?? notification
        }
        return notification
    }

    /// Closes a file, unless another thread has found that it is there again.
    private func close(_ name: FileName) {
        let dropIn = state.withLock { state -> DropIn? in
            if state.wants(name) { return nil }
            state.sorted = nil
            return state.files.removeValue(forKey: name)
        }
        dropIn?.storage.source.end("no longer part of this layer")
    }

    private func open(_ name: FileName) {
        guard let (names, path) = state.withLock({ state in state.names[name].map { ($0, state.path) } })
        else { return }
        let paths = paths(names, in: path)
        let storage = FilePrefsStorage(anyOf: paths, options: options, changes: changes)
        let isWanted = state.withLock { state in
            guard state.path == path, state.names[name] == names, state.wants(name),
                state.files[name] == nil
            else { return false }
            state.files[name] = DropIn(name: names[0], paths: paths, storage: storage)
            state.sorted = nil
            return true
        }
        // Another thread has opened it meanwhile, or found that it is gone or has another format.
        if !isWanted { storage.source.end("no longer part of this layer") }
    }
}

extension DropInFiles {
    /// Returns the path of the file that is written under a name, whatever the format of the one that exists.
    func path(writtenAs name: FileName) -> String {
        state.withLock { state in
            state.files[name.stem]?.storage.path ?? paths([name], in: state.path)[0]
        }
    }

    /// Returns the path of the file that one with this name, in whatever format, hides in a less important folder; `nil`
    /// if it hides none.
    func path(hiddenBy name: FileName) -> String? {
        guard hidesLower, let lower else { return nil }
        let visible = lower.state.withLock { state in
            state.listed.contains(name.stem) && !state.hidden.contains(name.stem)
                ? state.files[name.stem]?.storage.path : nil
        }
        return visible ?? lower.path(hiddenBy: name)
    }

    /// Opens the file that is written under a name, which need not exist; `nil` if a more important folder hides it.
    ///
    /// Call it without holding a mutex.
    func file(writtenAs name: FileName) -> FilePrefsStorage? {
        let isOpen = state.withLock { state in
            state.written[name.stem] = name
            if state.names[name.stem] == nil { state.names[name.stem] = [name] }
            return state.files[name.stem] != nil
        }
        if !isOpen {
            open(name.stem)
            changes.notePublication(at: PrefsChangeSource.nextGeneration())
        }
        return state.withLock { $0.files[name.stem]?.storage }
    }
}

extension FileName {
    /// The name without the extension of a format.
    fileprivate var stem: FileName {
        let end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        return FileName(bytes: Array(bytes[..<end]))
    }
}
