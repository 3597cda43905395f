import FileWatching
import PrefsDocuments
import PrefsFiles
import PrefsSystem

/// A file as the place of a source; or several paths of which only one may exist, in different formats.
struct FilePlace: SourcePlace {
    let options: FilePrefsStorage.Options
    private(set) var choice: FormatChoice
    /// True if another file may have appeared since the choice was made.
    private var isUndecided = false
    /// The path that was read last.
    private var readPath: String
    /// The file's signature when it was last read, good or bad; `nil` if it was missing.
    private(set) var signature: FileSignature?
    /// True if the signature suffices to detect an edit; otherwise the file must be read.
    private var isSettled = false
    /// True if the document is not that of the signature, because the file could not be parsed.
    private var isBroken = false
    private var document = PrefsDocument.empty
    /// The contents that this process is about to commit; the watcher may see them before the writer returns.
    var expected: PrefsDocument?
    /// The paths at which a file was last known to be.
    private var presentPaths: Set<String> = []
    /// Called when the file has been read for the first time, is gone, or has become a mask or is none any more: with no
    /// mutex held, as the completion of a reading.
    var presenceDidChange: (@Sendable (_ isMask: Bool, PrefsChangeCause) -> [PrefsNotification]?)?
    /// True if the file is a link to `/dev/null`.
    private(set) var isMask = false
    /// The path of the file of which has been reported that all users may read its secrets.
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
            // Nothing of this version is left to be loaded.
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
            // Its format is not that of the file.
            isBroken = true
        } else {
            try parse(bytes, &reading)
        }
        return true
    }

    /// Notes a report that all users may read the secrets in a file; returns false if there was one.
    mutating func isNewsThatOthersRead(_ path: String) -> Bool {
        defer { reportedShared = path }
        return reportedShared != path
    }

    /// Has the next reading report everything that is wrong with the file, even if it has not changed.
    mutating func forgetVersion() { (signature, isSettled) = (nil, false) }

    mutating func forgetContents(_ reading: inout SourceReading) {
        document = .empty
        if !reading.last.isAbsent { publish(reading.cause, isAbsent: true, &reading) }
        // There is a file, of which only the contents are not known.
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
        // What this process writes keeps the spellings that it found, and so does an edit of values only.
        if cause != .write, !next.spelled.hasKnownKeys(of: reading.last.spelled) {
            let warnings = next.warningsOfSpellings()
            reading.reports += warnings.map { PrefsDiagnostic(.warning, $0) }
        }
        reading.publish(next, didChange: didChange)
    }
}

extension FilePlace {
    /// Changes the paths of which one may exist.
    mutating func choose(anyOf paths: [String]) {
        choice.paths = paths
        isUndecided = true
    }

    /// Decides which file to read; returns false if that has to wait.
    private mutating func choose(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
        guard choice.hasAlternatives else { return true }
        let isKnown = !isUndecided && !reading.othersChanged
        // An edit of the file in use, by far the most frequent event, says nothing about the others.
        if reading.cause == .file, isKnown, reading.problem == nil, isPresent(choice.path) {
            return true
        }
        let present = Set(choice.paths.filter { isKnownToExist($0, &reading) })
        // The watcher is about to find out about one of them: not even the absence of another is a reason to decide.
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
            // Later, what was active stays, even if that was nothing.
            if reading.cause == .start { readOne(&reading) }
            throw error
        }
    }

    /// Returns true if there is a file that may be read, or something that cannot be. A file that is just being created does
    /// not count yet, and one that is missing for a moment still does.
    private mutating func isKnownToExist(_ path: String, _ reading: inout SourceReading) -> Bool {
        let signature = FileSignature(path: path)
        if reading.versions.mayUse(signature, at: path) {
            let exists = signature != nil || isPresent(path) || options.isOfSystem && isLink(path)
            if exists { presentPaths.insert(path) } else { presentPaths.remove(path) }
        }
        return presentPaths.contains(path)
    }

    /// Makes the contents of one of several files effective, although there should be one only: without any,
    /// the settings would be those of a program that has no policy.
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
    /// Decides which file to write, at this moment: other processes may have converted it.
    mutating func writtenPath() throws(PrefsError) -> String {
        if case .conflict(let error) = choice.decide(isFinal: true, at: options.scheduler.now, isPresent) {
            throw error
        }
        return choice.path
    }

    /// Returns the version that was read last, if it is certain to be that of a file whose signature is the
    /// same.
    func known(at path: String) -> (FileSignature, PrefsDocument)? {
        guard isSettled, !isBroken, readPath == path else { return nil }
        return signature.map { ($0, document) }
    }

    /// Takes over the contents that this process has written.
    ///
    /// The file lock has been released by now, so another writer's newer version may already be effective, on
    /// disk and here; this older one must not replace it.
    ///
    /// - Returns: False if the file has other contents by now.
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
    /// The error of a link that leads to no file.
    init(danglingLink path: String) {
        let target = (try? linkTarget(of: RawPath(path))).map { " to \($0)" } ?? ""
        let reason = "the link\(target) leads to no file; create that file, or remove the link"
        self.init(.missing, origin: PrefsOrigin(file: path), reason: reason)
    }

    /// The error of a file that somebody named, and that does not exist.
    init(fileThatIsMissing file: String) {
        let reason = "it does not exist, or its folder may not be searched"
        self.init(.missing, origin: PrefsOrigin(file: file), reason: reason)
    }
}
