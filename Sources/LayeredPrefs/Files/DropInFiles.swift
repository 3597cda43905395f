import PrefsDocuments
import PrefsSystem

/// The open files of a folder of drop-ins.
///
/// A name in the listing only opens a file. Whether the file counts, and whether it hides another file, depends
/// on its contents. A file has no contents if it has just been created, if it is broken, or if a link does not
/// reach it. Then the file with the same name in a less important folder stays active. If a name vanishes from
/// the listing, this closes no file either: the file's own watch finds out whether the file is really gone.
///
/// Hidden files are open, too, so that one change makes them active when the file above is removed. Their
/// problems are not reported.
final class DropInFiles: Sendable {
    private struct State {
        /// The path of the folder.
        var path: String
        /// The names of the drop-ins in the last good listing, by the name without its extension. A drop-in
        /// may exist in only one format. The preferred format comes first.
        var names: [FileName: [FileName]] = [:]
        /// The names that this program writes, by the name without its extension. These files are open,
        /// although they may not exist.
        var written: [FileName: FileName] = [:]
        /// The names, without extensions, that more important folders hide.
        var hidden: Set<FileName> = []
        /// The open files, by the name without its extension.
        var files: [FileName: DropIn] = [:]
        /// The files in byte order of their names; `nil` after one has been added or removed.
        var sorted: [DropIn]?

        /// Returns true if a file may be closed: it is not listed, this program does not write it, and it has
        /// no contents.
        func isGone(_ name: FileName) -> Bool {
            names[name] == nil && written[name] == nil && files[name]?.hasContents != true
        }

        mutating func remove(_ name: FileName) -> DropIn? {
            sorted = nil
            return files.removeValue(forKey: name)
        }
    }

    /// An open file.
    struct DropIn: Sendable {
        let name: FileName
        /// The paths that the file may have, the preferred one first. Only one of them should exist.
        fileprivate let paths: [String]
        let storage: FilePrefsStorage
        /// True if the file is a link to `/dev/null`. It hides the files of its name and is no drop-in itself.
        fileprivate(set) var isMask = false

        /// True if the file has been read, and exists.
        fileprivate var hasContents: Bool { !storage.source.published.value.isAbsent }
    }

    private let options: FilePrefsStorage.Options
    private let changes: PrefsChangeSource
    /// The files of the next less important folder. The files of this folder may hide them.
    private let lower: DropInFiles?
    /// The paths of files that are read as if they were in the folder, by their names.
    private let additional: [FileName: String]
    /// True if every file, not only a mask, hides the files of the same name in less important folders.
    private let hidesLower: Bool
    // Mutex order: the mutex of the listing, then `state`, then the `state` of `lower`. Files are opened,
    // read and closed with none of them held.
    private let state: Lock<State>

    init(
        in path: String, options: FilePrefsStorage.Options, changes: PrefsChangeSource, lower: DropInFiles?,
        additional: [FileName: String], hidesLower: Bool
    ) {
        state = Lock(State(path: path))
        var options = options
        options.acceptsMaskLinks = true
        (self.options, self.changes) = (options, changes)
        (self.lower, self.additional, self.hidesLower) = (lower, additional, hidesLower)
    }

    /// All open files in byte order of their names.
    var sorted: [DropIn] { state.withLock { Self.sorted(&$0) } }

    private static func sorted(_ state: inout State) -> [DropIn] {
        if let sorted = state.sorted { return sorted }
        let sorted = state.files.values.sorted { $0.name < $1.name }
        state.sorted = sorted
        return sorted
    }

    /// The files that have contents, or that this program writes, in byte order of their names.
    var readable: [DropIn] {
        let (files, written) = state.withLock { (Self.sorted(&$0), $0.written) }
        return files.filter { $0.hasContents || written[$0.name.stem] != nil }
    }

    /// The open files that no more important folder hides, in byte order of their names.
    var reported: [DropIn] {
        state.withLock { state in
            Self.sorted(&state).filter { !$0.isMask && !state.hidden.contains($0.name.stem) }
        }
    }

    private func hidesOthers(_ file: DropIn) -> Bool { file.hasContents && (hidesLower || file.isMask) }
}

extension DropInFiles {
    /// The work to do once no mutex is held.
    struct Changes: Sendable {
        fileprivate var missing: [(folder: DropInFiles, name: FileName)] = []
        /// The files that may now exist in another format, or in another folder.
        fileprivate var renamed: [(folder: DropInFiles, name: FileName)] = []
        /// The files that have become hidden, or are no longer hidden.
        fileprivate var covered: [(file: FilePrefsStorage, isHidden: Bool)] = []
        fileprivate var closed: [FilePrefsStorage] = []

        fileprivate var isEmpty: Bool {
            missing.isEmpty && renamed.isEmpty && covered.isEmpty && closed.isEmpty
        }
    }

    /// Takes over the listing of a folder.
    func note(_ names: Set<FileName>, in path: String) -> Changes {
        state.withLock { state in
            var changes = Changes()
            state.path = path
            state.names = Dictionary(grouping: names, by: \.stem).mapValues { names in
                names.sorted { options.rank(of: $0) ?? 0 < options.rank(of: $1) ?? 0 }
            }
            changes.missing = state.names.keys.filter { state.files[$0] == nil }.map { (self, $0) }
            for (name, names) in state.names {
                let paths = paths(names, in: path)
                guard let dropIn = state.files[name], dropIn.paths != paths else { continue }
                state.files[name] = DropIn(
                    name: names[0], paths: paths, storage: dropIn.storage, isMask: dropIn.isMask)
                state.sorted = nil
                changes.renamed.append((self, name))
            }
            for name in state.files.keys where state.isGone(name) {
                if let file = state.remove(name) { changes.closed.append(file.storage) }
            }
            hideOthers(state, &changes)
            return changes
        }
    }

    /// Records that a file has appeared, is gone, or has become or stopped being a mask.
    private func notePresence(of name: FileName, isMask: Bool) -> Changes {
        state.withLock { state in
            var changes = Changes()
            if state.files[name]?.isMask != isMask {
                state.files[name]?.isMask = isMask
                state.sorted = nil
            }
            if state.isGone(name), let file = state.remove(name) { changes.closed.append(file.storage) }
            hideOthers(state, &changes)
            return changes
        }
    }

    /// Tells the less important folders which names are hidden.
    private func hideOthers(_ state: State, _ changes: inout Changes) {
        guard let lower else { return }
        let names = state.files.lazy.filter { self.hidesOthers($0.value) }.map(\.key)
        lower.hide(state.hidden.union(names), &changes)
    }

    private func hide(_ names: Set<FileName>, _ changes: inout Changes) {
        state.withLock { state in
            guard state.hidden != names else { return }
            for name in state.hidden.symmetricDifference(names) {
                guard let file = state.files[name] else { continue }
                changes.covered.append((file.storage, names.contains(name)))
            }
            state.hidden = names
            hideOthers(state, &changes)
        }
    }

    private func paths(_ names: [FileName], in path: String) -> [String] {
        names.map { additional[$0] ?? "\(path)/\($0.description)" }
    }

    /// Opens, reads and closes files, with no mutex held. Returns the notifications to deliver; `nil` if
    /// there is nothing to do.
    func apply(_ changes: Changes, _ cause: PrefsChangeCause) -> [PrefsNotification]? {
        if changes.isEmpty { return nil }
        var notifications = changes.missing.flatMap { folder, name in folder.open(name, cause) }
        notifications += changes.renamed.compactMap { folder, name in folder.choosePaths(of: name, cause) }
        for (file, isHidden) in changes.covered {
            if let notification = file.source.report(!isHidden, cause) { notifications.append(notification) }
        }
        for file in changes.closed { file.source.end("no longer part of this layer") }
        self.changes.notePublication(at: PrefsChangeSource.nextGeneration())
        return notifications
    }

    /// Reads a file under its present paths. If another thread lists the folder in the meantime, reads the
    /// file again.
    private func choosePaths(of name: FileName, _ cause: PrefsChangeCause) -> PrefsNotification? {
        var (chosen, notification) = ([] as [String], nil as PrefsNotification?)
        while let dropIn = state.withLock({ $0.files[name] }), dropIn.paths != chosen {
            chosen = dropIn.paths
            notification = dropIn.storage.choose(anyOf: chosen, cause) ?? notification
        }
        return notification
    }

    /// Opens and reads a file, and then adds it. Until then, the files that it hides stay active.
    private func open(_ name: FileName, _ cause: PrefsChangeCause) -> [PrefsNotification] {
        let place = state.withLock { state in
            state.names[name].map { (names: $0, path: state.path, isHidden: state.hidden.contains(name)) }
        }
        guard let (names, path, isHidden) = place else { return [] }
        let paths = paths(names, in: path)
        let storage = FilePrefsStorage(FormatChoice(paths), options: options, changes: changes)
        storage.source.withPlace { place in
            place.presenceDidChange = { [weak self] isMask, cause in
                self.flatMap { $0.apply($0.notePresence(of: name, isMask: isMask), cause) }
            }
        }
        storage.source.start(watching: Set(paths), cause, isReported: !isHidden)
        let isMask = storage.source.withPlace { $0.isMask }
        let next = state.withLock { state -> Changes? in
            guard state.path == path, state.names[name] == names, state.files[name] == nil else { return nil }
            state.files[name] = DropIn(name: names[0], paths: paths, storage: storage, isMask: isMask)
            state.sorted = nil
            var next = Changes()
            if state.hidden.contains(name) != isHidden { next.covered.append((storage, !isHidden)) }
            hideOthers(state, &next)
            return next
        }
        if let next { return apply(next, cause) ?? [] }
        // Another thread has opened the file in the meantime, or has found that it is gone or has another format.
        storage.source.end("no longer part of this layer")
        return []
    }
}

extension DropInFiles {
    /// Returns the path for writes under a name. If the file exists in another format, this is the path of
    /// that file.
    func path(writtenAs name: FileName) -> String {
        state.withLock { state in
            state.files[name.stem]?.storage.path ?? paths([name], in: state.path)[0]
        }
    }

    /// Returns the path of the file in a less important folder that a file with this name, in any format,
    /// hides; `nil` if it hides none.
    func path(hiddenBy name: FileName) -> String? {
        guard hidesLower, let lower else { return nil }
        let visible = lower.state.withLock { state -> String? in
            guard !state.hidden.contains(name.stem), let file = state.files[name.stem], file.hasContents,
                !file.isMask
            else { return nil }
            return file.storage.path
        }
        return visible ?? lower.path(hiddenBy: name)
    }

    /// Opens the file for writes under a name, which need not exist. Returns `nil` if a more important folder
    /// hides it.
    ///
    /// Call it without holding a mutex.
    func file(writtenAs name: FileName) -> FilePrefsStorage? {
        let isOpen = state.withLock { state in
            state.written[name.stem] = name
            if state.names[name.stem] == nil { state.names[name.stem] = [name] }
            return state.files[name.stem] != nil
        }
        if !isOpen {
            _ = open(name.stem, .file)
            changes.notePublication(at: PrefsChangeSource.nextGeneration())
        }
        return state.withLock { state in
            state.hidden.contains(name.stem) ? nil : state.files[name.stem]?.storage
        }
    }
}

extension FileName {
    /// The name without the extension of a format.
    var stem: FileName {
        let end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        return FileName(bytes: Array(bytes[..<end]))
    }
}
