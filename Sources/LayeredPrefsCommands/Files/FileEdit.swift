import ArgumentParser
import LayeredPrefs

import PrefsSystem

/// Edits a layer's file in an editor. It loses neither the user's edit nor a change that somebody else makes
/// meanwhile.
struct FileEdit {
    let path: String
    let layer: PrefsLayer.Name
    let stack: Stack
    let allowsUnknown: Bool

    /// Edits, checks and replaces the file. Returns the bytes before and after, or `nil` if the user changed
    /// nothing.
    func run() throws -> ReplacedBytes? {
        let original = try PrefsFileReader.read(path)?.bytes
        let isBinary = original?.starts(with: Array("bplist".utf8)) ?? false
        let start =
            isBinary ? try converted(original ?? [], to: .xmlPropertyList) : original ?? Self.empty(path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let draft = try EditBuffer(named: name, start)
        do {
            let replaced = try edit(draft, from: start, replacing: original, isBinary: isBinary)
            draft.remove()
            return replaced
        } catch let error as PrefsError where error.code == .notDurable {
            // The file has the new text, although a crash could still undo the write.
            draft.remove()
            throw error
        } catch {
            if let copy = draft.keepText() {
                Output.complain("prefs: \(path) is unchanged; the edited text is kept in \(copy)")
            }
            if let failure = error as? EditFailure { throw failure.status }
            throw error
        }
    }

    /// Lets the user edit the copy, and edit it again after each mistake that the user wants to correct.
    private func edit(
        _ draft: EditBuffer, from start: [UInt8], replacing original: [UInt8]?, isBinary: Bool
    ) throws -> ReplacedBytes? {
        while true {
            try draft.edit()
            guard let content = try draft.content else {
                throw CommandFailure.failed("the editor has removed the file; \(path) is unchanged")
            }
            if content == start { return nil }
            do {
                try check(content, draft.path)
                let edited = isBinary ? try converted(content, to: .binaryPropertyList) : content
                try replace(original, with: edited)
                return ReplacedBytes(old: original, new: edited)
            } catch let failure as EditFailure {
                for line in failure.lines { Output.complain("prefs: \(line)") }
                guard failure.mayEditAgain, asksAgain() else { throw failure }
            }
        }
    }

    private func check(_ content: [UInt8], _ draft: String) throws {
        var check = FileCheck(path: draft, declared: stack.declared, allowsUnknown: allowsUnknown)
        check.run(isRequired: true)
        let lines = check.findings.map { $0.line() }
        if check.isBroken || check.hasErrors { throw EditFailure(status: CommandStatus.broken, lines: lines) }
        for line in lines { Output.complain("prefs: \(line)") }
        try checkLocks(try PrefsDocument(parsing: content, path: draft).content)
    }

    /// Rejects changes of keys that a lower layer locks. They would have no effect.
    private func checkLocks(_ new: [String: PrefsValue]) throws {
        let old = (try? PrefsFile.content(of: path)) ?? [:]
        let (before, after) = (PrefsSnapshot(old), PrefsSnapshot(new))
        let changed = Set(old.leaves).union(new.leaves).filter { before[$0] != after[$0] }
        let order = stack.storage.layers.map(\.name.description)
        let height = order.firstIndex(of: layer.description) ?? 0
        let locks = stack.storage.locks.filter { lock in
            let locking = lock.origin.layer?.prefix { $0 != "." }
            return locking.flatMap { order.firstIndex(of: String($0)) }.map { $0 < height } ?? false
        }
        let lines = changed.sorted().flatMap { name in
            locks.filter { name.isBelow($0.key) }.map { lock -> TerminalText in
                "\(lock.origin): \(name): \(lock.key) is locked here"
            }
        }
        if !lines.isEmpty { throw EditFailure(status: CommandStatus.rejected, lines: lines) }
    }

    private func replace(_ original: [UInt8]?, with content: [UInt8]) throws {
        var options = PrefsFileWriteOptions()
        options.replacesBroken = true
        // A new system file is readable by all users, a new user file only by its owner.
        if layer == .system { options.creationMode = 0o644 }
        var copy: String?
        let writer = PrefsFileWriter(path, options: options) { copy = $0 }
        do {
            _ = try writer.update { _ in
                guard try PrefsFileReader.read(path)?.bytes == original else {
                    let line: TerminalText =
                        "\(path): another process changed the file while it was being edited"
                    throw EditFailure(status: CommandStatus.rejected, lines: [line], mayEditAgain: false)
                }
                return content
            }
            if let copy { Output.complain("prefs: the broken contents of \(path) are kept as \(copy)") }
        } catch let error as PrefsError where error.code != .notDurable {
            throw EditFailure(status: error.status, lines: ["\(error)"], mayEditAgain: false)
        }
    }

    private func asksAgain() -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
        Output.complain("Edit again? [Y/n]")
        guard let answer = readLine() else { return false }
        return !answer.lowercased().hasPrefix("n")
    }

    private func converted(_ bytes: [UInt8], to format: PrefsFileFormat) throws -> [UInt8] {
        try format.serialize(try PrefsDocument(parsing: bytes, path: path).content)
    }

    private static func empty(_ path: String) -> [UInt8] {
        (try? FormatName(path: path).format.serialize([:])) ?? []
    }
}

/// The reason why an edited copy cannot replace the file.
struct EditFailure: Error {
    let status: ExitCode
    let lines: [TerminalText]
    var mayEditAgain = true
}
