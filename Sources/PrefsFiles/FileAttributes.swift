import PrefsDocuments
import PrefsSystem

/// Copies the attributes of a file to the new file that replaces it: owner, mode, access list, extended
/// attributes.
struct FileAttributes {
    let path: String
    let accepted: PrefsFileAttributes

    /// Copies the attributes in an order that never opens the new file to more users than the old one.
    ///
    /// The owner comes first, because changing it clears mode bits. The access list comes before the mode: the
    /// mode's bits for the group stand for the list's widest entry, and without the list they would apply to the
    /// group itself.
    func copy(from old: borrowing Descriptor, to new: borrowing Descriptor) throws(PrefsError) {
        let status: stat
        do { status = try old.status() } catch let error {
            throw error.error(.unwritable, path, "cannot read the file's owner and mode")
        }
        try checkLinks(status)
        let keepsGroup = try copyOwner(status, to: new)
        let names = ExtendedAttributes.names(of: old.number)
        let isExact = try copyAccessList(
            names.contains(ExtendedAttributes.accessList), keepsGroup: keepsGroup, from: old, to: new)
        let mode = isExact ? status.st_mode & 0o7777 : status.permissionsForAnyGroup
        try check(fchmod(new.number, mode), .mode, "its mode")
        try copyExtendedAttributes(names, from: old, to: new)
    }

    private func checkLinks(_ status: stat) throws(PrefsError) {
        guard status.st_nlink > 1, !accepted.contains(.hardLinks) else { return }
        throw PrefsError(
            .unwritable, origin: PrefsOrigin(file: path),
            reason: """
                not written because a write replaces the file, and only one of its \(status.st_nlink) hard links would \
                lead to the new one; replace the others with symbolic links
                """)
    }

    /// Copies the owner and the group. Returns false if the new file has another group.
    private func copyOwner(_ status: stat, to new: borrowing Descriptor) throws(PrefsError) -> Bool {
        let own: stat
        do { own = try new.status() } catch let error {
            throw error.error(.unwritable, path, "cannot read the owner")
        }
        guard own.st_uid != status.st_uid || own.st_gid != status.st_gid else { return true }
        if fchown(new.number, status.st_uid, status.st_gid) == 0 { return true }
        let error = Errno.last
        if accepted.contains(.owner) {
            // A member of the group may still set the group.
            return own.st_gid == status.st_gid || fchown(new.number, uid_t.max, status.st_gid) == 0
        }
        let owner = "user \(status.st_uid), group \(status.st_gid)"
        throw PrefsError(
            .unwritable, origin: PrefsOrigin(file: path), errno: error.code,
            reason: """
                not written because a write replaces the file, and cannot keep its owner (\(owner)): \(error.text); make \
                the change as root, or as that user and a member of that group
                """)
    }

    /// Copies the access list, without the rights of a group that is not kept. If the old file has no list,
    /// removes the list that the new file has inherited from the folder.
    ///
    /// - Returns: True if the old file's mode grants nothing more with the new file's group and access list.
    private func copyAccessList(
        _ hasList: Bool, keepsGroup: Bool, from old: borrowing Descriptor, to new: borrowing Descriptor
    ) throws(PrefsError) -> Bool {
        let name = ExtendedAttributes.accessList
        if hasList, var list = ExtendedAttributes.value(of: name, in: old.number) {
            if !keepsGroup { ExtendedAttributes.removeGroupRights(from: &list) }
            let result = ExtendedAttributes.set(name, to: list, in: new.number)
            try check(result, .accessList, "its access list")
            return result == 0
        }
        guard ExtendedAttributes.value(of: name, in: new.number) != nil else { return keepsGroup && !hasList }
        let result = ExtendedAttributes.remove(name, from: new.number)
        try check(result, .accessList, "its access list")
        return result == 0 && keepsGroup && !hasList
    }

    private func copyExtendedAttributes(
        _ names: [String], from old: borrowing Descriptor, to new: borrowing Descriptor
    ) throws(PrefsError) {
        let others = ExtendedAttributes.measurements.union([ExtendedAttributes.accessList])
        for name in names where !others.contains(name) {
            guard let value = ExtendedAttributes.value(of: name, in: old.number),
                value != ExtendedAttributes.value(of: name, in: new.number)
            else { continue }
            let result = ExtendedAttributes.set(name, to: value, in: new.number)
            try check(result, Self.kind(of: name), "its attribute \(name)")
        }
    }

    private func check(_ result: CInt, _ loss: PrefsFileAttributes, _ what: String) throws(PrefsError) {
        guard result != 0 else { return }
        let error = Errno.last
        guard !accepted.contains(loss) else { return }
        throw error.error(.unwritable, path, "cannot keep \(what)")
    }

    private static func kind(of name: String) -> PrefsFileAttributes {
        name.utf8.starts(with: "security.".utf8) ? .label : .extendedAttributes
    }
}

extension stat {
    /// The permissions for a file with another group: the group and all others get only the rights that both had.
    fileprivate var permissionsForAnyGroup: mode_t {
        let common = st_mode & st_mode >> 3 & 0o007
        return st_mode & 0o700 | common << 3 | common
    }
}
