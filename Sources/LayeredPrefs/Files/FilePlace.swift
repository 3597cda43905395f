import FileWatching
import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// A file as the place of a source. The place may have several paths in different formats. Only one of them
/// may exist.
struct FilePlace: SourcePlace {
    let options: FilePrefsStorage.Options
    private(set) var choice: FormatChoice
    /// True if another file may have appeared since the choice was made.
    private var isUndecided = false
    /// The path that was read last.
    private var readPath: String
    /// The file's signature at the last reading, even if that failed; `nil` if the file was missing.
    private(set) var signature: FileSignature?
    /// True if the signature suffices to detect an edit. If false, the file must be read to detect one.
    private var isSettled = false
    /// True if the document does not belong to the signature, because the file could not be parsed.
    private var isBroken = false
    private var document = PrefsDocument.empty
    /// The contents that this process is about to commit. The watcher may see them before the writer returns.
    var expected: PrefsDocument?
    /// The paths where a file was last known to exist.
    private var presentPaths: Set<String> = []
    /// Called when the file has appeared or disappeared, or has become a mask or stopped being one. It is
    /// called as the completion of a reading, with no mutex held.
    var presenceDidChange: (@Sendable (_ isMask: Bool, PrefsChangeCause) -> [PrefsNotification]?)?
    /// True if the file is a link to `/dev/null`.
    private(set) var isMask = false
    /// The path of a file that all users may read, although it has secrets, once this has been reported.
    private var reportedShared: String?

    init(_ choice: FormatChoice, options: FilePrefsStorage.Options) {
        self.options = options
        self.choice = choice
        readPath = choice.path
    }

    var keepsVersion: Bool { true }

    mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
        guard try choose(&reading) else { return false }
        let path = choice.path
        let isOther = path != readPath
        if isSettled, !isOther, let signature = FileSignature(path: path), signature == self.signature {
            return false
        }
        isSettled = false
        let start = FileSignature.now
        let file: (bytes: [UInt8], signature: FileSignature, isMask: Bool)?
        do throws(PrefsError) { file = try contents(of: path) } catch {
            if error.code == .busy, reading.versions.isBeingWritten(path) { return false }
            // The version cannot be loaded, so the status must not say that a newer one waits.
            signature = FileSignature(path: path)
            throw error
        }
        guard reading.versions.mayUse(file?.signature, at: path) else { return false }
        readPath = path
        guard let (bytes, signature, isMask) = file else {
            if options.mustExist { throw PrefsError(fileThatIsMissing: path) }
            if options.isOfSystem, isLink(path) { throw PrefsError(danglingLink: path) }
            return becomeMissing(&reading)
        }
        let wasRead = signature == self.signature && !isOther && reading.problem == nil
        self.signature = signature
        isSettled = signature.showsChanges(since: start)
        if wasRead, document.isStored(as: bytes) { return false }
        if let expected, expected.isStored(as: bytes) {
            document = expected
            publish(.write, &reading)
        } else if isMask || bytes.isEmpty && options.acceptsMasks {
            document = .empty
            publish(reading.cause, isMask: isMask, &reading)
            // The empty document does not have the format of the file.
            isBroken = true
        } else {
            try parse(bytes, &reading)
        }
        return true
    }

    /// Records a report that all users may read the secrets in a file. Returns false if that was reported before.
    mutating func isNewsThatOthersRead(_ path: String) -> Bool {
        defer { reportedShared = path }
        return reportedShared != path
    }

    /// Makes the next reading report everything that is wrong with the file, even if the file has not changed.
    mutating func forgetVersion() { (signature, isSettled) = (nil, false) }

    mutating func forgetContents(_ reading: inout SourceReading) {
        document = .empty
        if !reading.last.isAbsent { publish(reading.cause, isAbsent: true, &reading) }
        // The file exists, but the document does not have its contents.
        isBroken = true
    }

    private func contents(
        of path: String
    ) throws(PrefsError) -> (bytes: [UInt8], signature: FileSignature, isMask: Bool)? {
        let acceptsMasks = options.acceptsMasks || options.acceptsMaskLinks
        if acceptsMasks, path == "/dev/null" || PrefsSystem.isMask(path),
            let signature = FileSignature(path: path)
        {
            return ([], signature, true)
        }
        return try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
            .map { ($0.bytes, $0.signature, false) }
    }

    private mutating func becomeMissing(_ reading: inout SourceReading) -> Bool {
        (signature, document) = (nil, .empty)
        if reading.last.isAbsent, reading.problem == nil { return false }
        publish(reading.cause, isAbsent: true, &reading)
        return true
    }

    private mutating func parse(_ bytes: [UInt8], _ reading: inout SourceReading) throws(PrefsError) {
        isBroken = true
        document = try PrefsDocument(
            parsing: bytes, replacing: document, as: options.format, path: choice.path,
            limits: options.limits)
        reading.reports += document.warnings.map { PrefsDiagnostic(.warning, $0) }
        publish(reading.cause, &reading)
    }

    private mutating func publish(
        _ cause: PrefsChangeCause, isAbsent: Bool = false, isMask: Bool = false,
        _ reading: inout SourceReading
    ) {
        isBroken = false
        if let presenceDidChange, isAbsent != reading.last.isAbsent || isMask != self.isMask {
            reading.completion = { presenceDidChange(isMask, cause) }
        }
        self.isMask = isMask
        let (next, didChange) = reading.last.next(
            .node(document.root), in: readPath, isAbsent: isAbsent, cause: cause)
        // Writes by this process keep the spellings that they find, and so does an edit that changes only values.
        if cause != .write, !next.spelled.hasKnownKeys(of: reading.last.spelled) {
            let warnings = next.warningsOfSpellings()
            reading.reports += warnings.map { PrefsDiagnostic(.warning, $0) }
        }
        reading.publish(next, didChange: didChange)
    }
}

extension FilePlace {
    /// Changes the paths that the file may have.
    mutating func choose(anyOf paths: [String]) {
        choice.paths = paths
        isUndecided = true
    }

    /// Decides which file to read. Returns false if the decision has to wait.
    private mutating func choose(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
        guard choice.hasAlternatives else { return true }
        let isKnown = !isUndecided && !reading.othersChanged
        // An edit of the file in use, by far the most frequent event, says nothing about the others.
        if reading.cause == .file, isKnown, reading.problem == nil, isPresent(choice.path) {
            return true
        }
        let present = Set(choice.paths.filter { isKnownToExist($0, &reading) })
        // The watcher is about to find out about one of the files. Until then, not even the absence of
        // another file decides.
        if !reading.versions.unknown.isEmpty { return false }
        let decision = choice.decide(
            isFinal: reading.cause != .file, at: options.scheduler.now, present.contains)
        isUndecided = decision == .wait
        switch decision {
        case .read: return true
        case .wait:
            reading.delay = FormatChoice.patience
            return false
        case .conflict(let error):
            isSettled = false
            // Later, the active contents stay, even if they are empty.
            if reading.cause == .start { readOne(&reading) }
            throw error
        }
    }

    /// Returns true if there is a file that may be read, or something that cannot be read. A file that is
    /// just being created does not count yet. A file that is missing for a moment still counts.
    private mutating func isKnownToExist(_ path: String, _ reading: inout SourceReading) -> Bool {
        let signature = FileSignature(path: path)
        if reading.versions.mayUse(signature, at: path) {
            let exists = signature != nil || isPresent(path) || options.isOfSystem && isLink(path)
            if exists { presentPaths.insert(path) } else { presentPaths.remove(path) }
        }
        return presentPaths.contains(path)
    }

    /// Makes the contents of one of several files active, although only one may exist. Without any of them,
    /// the program would run as if there was no policy.
    private mutating func readOne(_ reading: inout SourceReading) {
        guard let file = try? contents(of: choice.path) else { return }
        let before = readPath
        readPath = choice.path
        do throws(PrefsError) {
            try parse(file.bytes, &reading)
            signature = file.signature
        } catch {
            readPath = before
        }
    }
}

extension FilePlace {
    /// Decides which file to write. It decides anew each time, because other processes may have converted the
    /// file.
    mutating func writtenPath() throws(PrefsError) -> String {
        if case .conflict(let error) = choice.decide(isFinal: true, at: options.scheduler.now, isPresent) {
            throw error
        }
        return choice.path
    }

    /// Returns the version that was read last, if a file with the same signature certainly has this version.
    func known(at path: String) -> (FileSignature, PrefsDocument)? {
        guard isSettled, !isBroken, readPath == path else { return nil }
        return signature.map { ($0, document) }
    }

    /// Takes over the contents that this process has written.
    ///
    /// The file lock has been released in the meantime, so a newer version of another writer may already be
    /// active, on disk and here. This older version must not replace it.
    ///
    /// - Returns: False if the file now has other contents.
    mutating func adopt(
        _ signature: FileSignature?, _ document: PrefsDocument, at path: String,
        _ reading: inout SourceReading
    ) -> Bool {
        guard choice.path == path, FileSignature(path: path) == signature else { return false }
        (readPath, self.signature, self.document) = (path, signature, document)
        isSettled = signature.map { $0.showsChanges(since: $0.changed) } ?? false
        publish(.write, isAbsent: signature == nil, &reading)
        return true
    }
}

extension PrefsError {
    /// Creates the error of a link that leads to no file.
    init(danglingLink path: String) {
        let target = (try? linkTarget(of: RawPath(path))).map { " to \($0)" } ?? ""
        let reason = "the link\(target) leads to no file; create that file, or remove the link"
        self.init(.missing, origin: PrefsOrigin(file: path), reason: reason)
    }

    /// Creates the error of a file that somebody named, but that does not exist.
    init(fileThatIsMissing file: String) {
        let reason = "it does not exist, or its folder may not be searched"
        self.init(.missing, origin: PrefsOrigin(file: file), reason: reason)
    }
}
