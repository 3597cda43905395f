import PrefsSystem

/// The files of a layer in several folders. Each folder is accepted or rejected on its own.
///
/// Hidden files and masks are included: if the folder with a mask is rejected, the masked file in a less
/// important folder stays active.
struct SystemFiles: Sendable {
    /// A main file or a drop-in.
    struct File: Sendable {
        var part: PrefsSnapshot.Part
        /// The index of the folder. Folders with larger indices are more important.
        let folder: Int
        /// The name of a drop-in; `nil` for the main file.
        let name: FileName?
        /// True for a link to `/dev/null`, which hides files with its name and has no contents.
        var isMask = false
    }

    /// The files from the least to the most important folder. In each folder, the main file comes first, and
    /// then the drop-ins in byte order of their names.
    private(set) var all: [File]
    /// True for the rules of UAPI.6. Only the most important main file counts. A drop-in hides the drop-ins
    /// with its name in less important folders. The drop-ins of all folders are sorted by name.
    let followsUAPI6: Bool

    init(_ all: [File], followsUAPI6: Bool) { (self.all, self.followsUAPI6) = (all, followsUAPI6) }

    /// The sources of the files that count, from the most to the least important one.
    var parts: [PrefsSnapshot.Part] {
        // By height, because files in folders from the environment must not hide files in fixed folders.
        var hidden: [Int: Set<FileName>] = [:]
        let files = all.reversed().filter { file in
            guard let name = file.name?.stem else { return true }
            if hidden[file.part.height]?.contains(name) == true { return false }
            let hidesOthers = file.isMask || followsUAPI6 && !file.part.source.isAbsent
            if hidesOthers { hidden[file.part.height, default: []].insert(name) }
            return !file.isMask
        }
        if !followsUAPI6 { return files.map(\.part) }
        let dropIns = files.compactMap { file in file.name.map { (name: $0, part: file.part) } }
        return dropIns.sorted { $0.name > $1.name }.map(\.part)
            + files.filter { $0.name == nil }.map(\.part)
    }

    /// Returns the same files, each changed.
    func map(_ change: (PrefsSnapshot.Part) -> PrefsSnapshot.Part) -> SystemFiles {
        var files = self
        for index in all.indices { files.all[index].part = change(all[index].part) }
        return files
    }
}

extension SystemFiles {
    /// Returns the folders whose files differ from another revision, from the least to the most important one.
    func folders(differingFrom other: SystemFiles) -> [Int] {
        let main = mainFolder(or: other)
        let (new, old) = (
            Dictionary(grouping: all) { $0.folder(main) }, Dictionary(grouping: other.all) { $0.folder(main) }
        )
        return Set(new.keys).union(old.keys).sorted().filter { folder in
            !(new[folder] ?? []).elementsEqual(old[folder] ?? []) {
                $0.part.source === $1.part.source && $0.isMask == $1.isMask
            }
        }
    }

    /// Returns these files, but with the files of one folder from another revision.
    func taking(_ folder: Int, from other: SystemFiles) -> SystemFiles {
        let main = mainFolder(or: other)
        var next = self
        next.all.removeAll { $0.folder(main) == folder }
        next.all += other.all.filter { $0.folder(main) == folder }
        next.all.sort { $0.precedes($1) }
        return next
    }

    /// Returns the folder of a file, even if another one hides it; `nil` if there is no such file.
    func folder(of name: PrefsSnapshot.Part.Name) -> Int? {
        all.last { PrefsSnapshot.Part.Name($0.part) == name }?.folder
    }

    /// Returns the folder that the main file is accepted or rejected with, if only one main file counts. If the
    /// file has moved, returns the more important one of the old and the new folder.
    private func mainFolder(or other: SystemFiles) -> Int? {
        if !followsUAPI6 { return nil }
        return [self, other].compactMap { files in files.all.first { $0.name == nil }?.folder }.max()
    }
}

extension SystemFiles.File {
    /// - Parameter main: The folder of the main file, if only one counts.
    fileprivate func folder(_ main: Int?) -> Int { name == nil ? main ?? folder : folder }

    fileprivate func precedes(_ other: Self) -> Bool {
        if folder != other.folder { return folder < other.folder }
        return (name?.bytes ?? []).lexicographicallyPrecedes(other.name?.bytes ?? [])
    }
}
