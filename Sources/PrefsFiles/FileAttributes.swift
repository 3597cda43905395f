import PrefsDocuments
import PrefsSystem

/// Copies to a new file the attributes of the one it replaces: owner, mode, access list, extended attributes.
struct FileAttributes {
    let path: String
    let accepted: PrefsFileAttributes

    /// Copies the owner first, since changing it clears mode bits, and the mode before the access list, which
    /// refines it.
    func copy(from old: borrowing Descriptor, to new: borrowing Descriptor) throws(PrefsError) {
        let status: stat
        do { status = try old.status() } catch let error {
            throw error.error(.unwritable, path, "cannot read the file's owner and mode")
        }
        try checkLinks(status)
        try copyOwner(status, to: new)
        try check(fchmod(new.number, status.st_mode & 0o7777), .mode, "its mode")
        try copyExtendedAttributes(from: old, to: new)
    }

    private func checkLinks(_ status: stat) throws(PrefsError) {
        guard status.st_nlink > 1, !accepted.contains(.hardLinks) else { return }
        throw PrefsError(
            .unwritable, origin: PrefsOrigin(file: path),
            reason: "cannot keep its \(status.st_nlink) hard links, since a write replaces the file")
    }

    private func copyOwner(_ status: stat, to new: borrowing Descriptor) throws(PrefsError) {
        let own: stat
        do { own = try new.status() } catch let error {
            throw error.error(.unwritable, path, "cannot read the owner")
        }
        guard own.st_uid != status.st_uid || own.st_gid != status.st_gid else { return }
        if fchown(new.number, status.st_uid, status.st_gid) == 0 { return }
        let error = Errno.last
        guard !accepted.contains(.owner) else { return }
        let owner = "user \(status.st_uid), group \(status.st_gid)"
        throw error.error(.unwritable, path, "cannot keep its owner (\(owner))")
    }

    private func copyExtendedAttributes(
        from old: borrowing Descriptor, to new: borrowing Descriptor
    ) throws(PrefsError) {
        let names = ExtendedAttributes.names(of: old.number)
        for name in names where !ExtendedAttributes.measurements.contains(name) {
            guard let value = ExtendedAttributes.value(of: name, in: old.number),
                value != ExtendedAttributes.value(of: name, in: new.number)
            else { continue }
            let result = ExtendedAttributes.set(name, to: value, in: new.number)
            try check(result, Self.kind(of: name), "its attribute \(name)")
        }
        // The new file inherited the folder's default access list; the old file may not have had one.
        let list = ExtendedAttributes.accessList
        guard !names.contains(list), ExtendedAttributes.value(of: list, in: new.number) != nil else { return }
        try check(ExtendedAttributes.remove(list, from: new.number), .accessList, "its access list")
    }

    private func check(_ result: CInt, _ loss: PrefsFileAttributes, _ what: String) throws(PrefsError) {
        guard result != 0 else { return }
        let error = Errno.last
        guard !accepted.contains(loss) else { return }
        throw error.error(.unwritable, path, "cannot keep \(what)")
    }

    private static func kind(of name: String) -> PrefsFileAttributes {
        if name == ExtendedAttributes.accessList { return .accessList }
        return name.utf8.starts(with: "security.".utf8) ? .label : .extendedAttributes
    }
}
