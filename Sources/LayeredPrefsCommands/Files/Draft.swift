import LayeredPrefs

import PrefsSystem

/// A copy of a layer's file that an editor changes, in a folder of its own.
struct Draft {
    let path: String
    private let folder: String

    /// - Parameters:
    ///   - name: The name of the copy, so that editors know the format.
    ///   - content: What it holds to begin with.
    init(named name: String, _ content: [UInt8]) throws {
        let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        // Private to the user: preferences may hold secrets.
        var template = Array("\(base)/prefs-edit.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            let code = errno
            throw PrefsError(
                .unwritable, origin: PrefsOrigin(file: base), errno: code,
                reason: "cannot make a folder for the draft")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(folder)/\(name)"
        try PlainFile(path).update(mode: 0o600) { _ in content }
    }

    var content: [UInt8] {
        get throws { try PrefsFileReader.read(path)?.bytes ?? [] }
    }

    /// Runs the user's editor on the copy, and waits for its end.
    func edit() throws {
        let editor = Self.variable("VISUAL") ?? Self.variable("EDITOR") ?? "vi"
        // A shell, since the variable may hold options too.
        let words = ["/bin/sh", "-c", "\(editor) \"$1\"", editor, path]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ)
        guard code == 0 else { throw failed(editor, "cannot be started") }
        var status: CInt = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw failed(editor, "ended with a failure") }
    }

    func remove() {
        unsafe unlink(path)
        // What else editors leave, backups and PlainFile's lock, is nobody's either.
        unsafe unlink("\(folder)/.\(path.dropFirst(folder.utf8.count + 1)).lock")
        unsafe unlink("\(path)~")
        unsafe rmdir(folder)
    }

    private func failed(_ editor: String, _ words: String) -> CommandFailure {
        CommandFailure(CommandStatus.failed, "the editor \(editor) \(words); the draft is kept in \(path)")
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
