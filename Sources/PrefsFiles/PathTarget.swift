import PrefsDocuments
import PrefsSystem

/// The file that a path leads to, whether or not it exists: an open folder, and a name in it that is not a link.
///
/// A write does everything in that folder, through its descriptor. So it affects only the folder whose owner was
/// checked, whatever other users do to the path meanwhile.
struct PathTarget {
    let folder: OpenFolder
    let name: RawPath
    /// The status of the entry that has the name; `nil` if there is none.
    let status: stat?

    /// The path without links, for messages.
    var path: String { folder.path.appending(name).description }

    /// Returns true if both are the same name in the same folder.
    func isSame(as other: PathTarget) throws(Errno) -> Bool {
        guard name == other.name else { return false }
        return try folder.status().isSameFile(as: other.folder.status())
    }
}

/// A walk along a path that opens one folder after the other.
struct PathTargetSearch {
    /// The mode for creating missing folders; `nil` if a missing folder is an error.
    let creationMode: mode_t?
    private var folder: OpenFolder
    /// The remaining names, the next one last.
    private var remaining: [RawPath]
    private var links = 0
    /// The owners of the links that were followed, apart from root and the process's user.
    private var linkOwners: Set<uid_t> = []
    /// The owner of the link that made the search fail.
    private var rejectedOwner: uid_t?

    private init(_ path: RawPath, creationMode: mode_t?) throws(Errno) {
        self.creationMode = creationMode
        remaining = path.components.reversed()
        folder = try OpenFolder(at: path.isAbsolute ? "/" : ".")
    }

    /// Follows a path to its end.
    ///
    /// The search follows a link of another user, other than root, only to a file or into a folder that belongs
    /// to that user. This process must not make a change on behalf of a user who could not make it.
    ///
    /// - Parameter creationMode: The mode for creating missing folders; `nil` if a missing folder is an error.
    static func target(of text: String, creationMode: mode_t?) throws(PrefsError) -> PathTarget {
        let path = RawPath(text)
        var rejectedOwner: uid_t?
        do throws(Errno) {
            if let target = try directTarget(of: path) { return target }
            var search = try PathTargetSearch(path, creationMode: creationMode)
            defer { rejectedOwner = search.rejectedOwner }
            while true {
                if let target = try search.step() { return target }
            }
        } catch let error {
            guard let rejectedOwner else {
                throw error.error(.unwritable, text, "cannot reach the file's folder")
            }
            throw PrefsError(
                .untrusted, origin: PrefsOrigin(file: text), errno: error.code,
                reason:
                    "not written because a link of user \(rejectedOwner) leads to a place that does not belong "
                    + "to that user; name the file itself, or let root own the link")
        }
    }

    /// Returns the lowest existing folder on a path, with links followed, and the path below it.
    static func place(of text: String) throws(Errno) -> (folder: OpenFolder, name: RawPath) {
        let path = RawPath(text)
        if let target = try directTarget(of: path) { return (target.folder, target.name) }
        var search = try PathTargetSearch(path, creationMode: nil)
        while true {
            if let name = try search.missingName() { return (search.folder, name) }
            if let target = try search.step() { return (target.folder, target.name) }
        }
    }

    /// Returns the path below the folder if the next name does not exist and is not the last one.
    private func missingName() throws(Errno) -> RawPath? {
        guard remaining.count > 1, let next = remaining.last, next != "..",
            try folder.status(of: next) == nil
        else { return nil }
        var names: [RawPath] = []
        for name in remaining.reversed() {
            // A name that does not exist is not a link, so its parent is the name before it.
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return names.dropFirst().reduce(names.first ?? next) { $0.appending($1) }
    }

    /// Returns the target of a path without links in an existing folder, which takes two system calls; `nil` for
    /// any other path.
    private static func directTarget(of path: RawPath) throws(Errno) -> PathTarget? {
        let name = path.fileName
        guard !["", ".", ".."].contains(name), let folder = OpenFolder.withoutLinks(at: path.folder) else {
            return nil
        }
        let status = try folder.status(of: name)
        guard status?.isLink != true else { return nil }
        return PathTarget(folder: folder, name: name, status: status)
    }

    /// Follows one name. Returns the target if it was the last name.
    private mutating func step() throws(Errno) -> PathTarget? {
        guard let name = remaining.popLast() else { throw Errno(EISDIR) }
        if name == ".." {
            folder = try folder.folder(name, at: folder.path.appending(name))
            return nil
        }
        let status = try folder.status(of: name)
        if let status, status.isLink {
            try follow(name, owner: status.st_uid)
            return nil
        }
        if remaining.isEmpty { return try end(name, status) }
        if status == nil { try create(name) }
        folder = try folder.folder(name, at: folder.path.appending(name))
        return nil
    }

    private mutating func follow(_ name: RawPath, owner: uid_t) throws(Errno) {
        links += 1
        guard links <= 40 else { throw Errno(ELOOP) }
        if owner != 0, owner != geteuid() { linkOwners.insert(owner) }
        let target = try folder.linkTarget(of: name)
        if target.isAbsolute { folder = try OpenFolder(at: "/") }
        remaining += target.components.reversed()
    }

    private mutating func create(_ name: RawPath) throws(Errno) {
        guard let creationMode else { throw Errno(ENOENT) }
        try checkLinks(to: nil)
        // Another process may create it at the same time.
        if try folder.createFolder(name, mode: creationMode) { try folder.synchronize() }
    }

    private mutating func end(_ name: RawPath, _ status: stat?) throws(Errno) -> PathTarget {
        try checkLinks(to: status)
        return PathTarget(folder: folder, name: name, status: status)
    }

    private mutating func checkLinks(to file: stat?) throws(Errno) {
        if linkOwners.isEmpty { return }
        let owners = [try folder.status().st_uid] + [file?.st_uid].compactMap(\.self)
        rejectedOwner = linkOwners.first { !owners.contains($0) }
        if rejectedOwner != nil { throw Errno(EACCES) }
    }
}
