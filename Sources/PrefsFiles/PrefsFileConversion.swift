import PrefsSystem
package import PrefsDocuments

/// Replaces a file with a file of another format in the same folder, under a name with another extension.
///
/// With both files locked, a conversion writes the new file beside its name, fsyncs it, and renames it to its
/// name. Then it checks that the old file has not changed, and renames the old file to `NAME.bak`, or to the first
/// free name of ``BackupName``. If the process is killed in between, both files exist with the same values, and
/// running the conversion again completes it. At least one of the files exists at any moment.
package struct PrefsFileConversion {
    private let old: String
    private let new: String
    private let limits: PrefsLimits
    private let options: PrefsFileWriteOptions
    /// Called after the new file has its name, in tests.
    private let onCreation: () throws -> Void

    /// - Parameters:
    ///   - old: The path of the file, which is not a link.
    ///   - new: The path of the new file, in the same folder.
    ///   - onCreation: Called when both files exist. If it throws, the conversion ends in this state.
    package init(
        from old: String, to new: String, limits: PrefsLimits = .standard,
        options: PrefsFileWriteOptions = PrefsFileWriteOptions(), onCreation: @escaping () throws -> Void = {}
    ) {
        (self.old, self.new, self.limits, self.options) = (old, new, limits, options)
        self.onCreation = onCreation
    }

    /// Converts the file.
    ///
    /// - Parameter transform: Returns the bytes of the new file for the old document.
    /// - Returns: The path of the old file after the conversion.
    /// - Throws: Any error of `transform`; ``PrefsError``: `ambiguous` if the new file exists with other values,
    ///   `missing` if there is no old file, `busy` if a process that does not lock the old file changed it. In
    ///   all these cases nothing is changed.
    @discardableResult
    package func run(_ transform: (PrefsDocument) throws -> [UInt8]) throws -> String {
        let (old, new) = (try target(self.old), try target(self.new))
        guard
            try reporting({ () throws(Errno) in try old.folder.status().isSameFile(as: new.folder.status()) })
        else { throw unsupported("the new file has to be in the same folder") }
        // In the order of transactions, so that a conversion and another writer cannot wait for each other.
        let locks = try [old, new].sorted { PrefsFileIdentity($0.path) < PrefsFileIdentity($1.path) }.map {
            try PrefsFileLock(on: $0, timeout: options.lockTimeout)
        }
        defer { extendLifetime(locks) }
        TemporaryFile.sweep(beside: new)
        let file = ExistingFile(target: old, format: nil, limits: limits, policy: .any)
        let version = try file.read(known: nil, keepingBroken: false)
        guard let document = version.document else {
            throw PrefsError(.missing, origin: PrefsOrigin(file: self.old), reason: "no such file")
        }
        let isNew = try create(new, with: try transform(document), like: old)
        try onCreation()
        guard locks.allSatisfy(\.isEffective), try file.isStill(version) else {
            if isNew { new.folder.remove(new.name) }
            throw PrefsError(
                .busy, origin: PrefsOrigin(file: self.old),
                reason: "another process changed the file during its conversion; try again")
        }
        let backup = try BackupName.converted.giveFirstFree(beside: old) { name throws(Errno) in
            try old.folder.rename(old.name, toFree: name)
        }
        try reporting { () throws(Errno) in try old.folder.synchronize() }
        return backup
    }

    private func target(_ path: String) throws(PrefsError) -> PathTarget {
        let status = try reporting { () throws(Errno) in try linkStatus(of: path) }
        if status?.isLink == true {
            throw unsupported("\(path) is a link; convert the file that it leads to, and create a new link")
        }
        return try PathTargetSearch.target(of: path, creationMode: nil)
    }

    /// Creates the new file with the owner, mode and attributes of the old file. Returns false if the new file
    /// exists with the same values, because an earlier conversion was cut off.
    private func create(_ new: PathTarget, with bytes: [UInt8], like old: PathTarget) throws -> Bool {
        let file = ExistingFile(target: new, format: nil, limits: limits, policy: .any)
        let document = try file.parse(bytes, replacing: nil)
        if let existing = try file.read(known: nil, keepingBroken: false).document {
            guard existing.content == document.content else {
                throw PrefsError(
                    .ambiguous, origin: PrefsOrigin(file: self.old),
                    reason: "there is also \(self.new), with other values; remove one of the two files")
            }
            return false
        }
        let temporary = try reporting { () throws(Errno) in
            let temporary = try TemporaryFile(of: new.name, in: new.folder)
            try temporary.descriptor.write(bytes)
            return temporary
        }
        let original = try reporting { () throws(Errno) in
            try old.folder.openEntry(old.name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        }
        try FileAttributes(path: self.new, accepted: options.mayDrop.union(.hardLinks)).copy(
            from: original, to: temporary.descriptor)
        try reporting { () throws(Errno) in
            try temporary.descriptor.stamp()
            try temporary.descriptor.synchronize()
            // A process that does not lock files may just have created a file of that name.
            try temporary.rename(toFree: new.name)
            try new.folder.synchronize()
        }
        return true
    }

    private func reporting<Value: ~Copyable>(_ body: () throws(Errno) -> Value) throws(PrefsError) -> Value {
        try PrefsError.reporting(.unwritable, old, "cannot convert the file", body)
    }

    private func unsupported(_ reason: String) -> PrefsError {
        PrefsError(.unsupported, origin: PrefsOrigin(file: old), reason: reason)
    }
}
