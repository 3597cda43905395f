import LayeredPrefs

import PrefsSystem

/// A copy of a layer's file for the editor, in a temporary folder of its own.
struct EditBuffer {
    let path: String
    private let folder: String

    /// - Parameters:
    ///   - name: The name of the copy, from which editors detect the format.
    ///   - content: The initial content of the copy.
    init(named name: String, _ content: [UInt8]) throws {
        let base = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        // mkdtemp makes the folder private to the user: preferences may hold secrets.
        var template = Array("\(base)/prefs-edit.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            let code = errno
            throw PrefsError(
                .unwritable, origin: PrefsOrigin(file: base), errno: code,
                reason: "cannot create a temporary folder for the edited copy")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path = "\(folder)/\(name)"
        try PrefsFileWriter(path).replace { _ in content }
    }

    var content: [UInt8] {
        get throws { try PrefsFileReader.read(path)?.bytes ?? [] }
    }

    /// Runs the user's editor on the copy and waits until it exits.
    func edit() throws {
        let editor = Self.variable("VISUAL") ?? Self.variable("EDITOR") ?? "vi"
        // Through a shell, because the variable may contain options.
        let words = ["/bin/sh", "-c", "\(editor) \"$1\"", editor, path]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, "/bin/sh", nil, nil, arguments, environ)
        guard code == 0 else { throw failed(editor, "cannot be started") }
        var status: CInt = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw failed(editor, "failed") }
    }

    func remove() {
        unsafe unlink(path)
        // Also remove the writer's lock file and the editor's backup, or the folder cannot be removed.
        unsafe unlink("\(folder)/.\(path.dropFirst(folder.utf8.count + 1)).lock")
        unsafe unlink("\(path)~")
        unsafe rmdir(folder)
    }

    private func failed(_ editor: String, _ words: String) -> CommandFailure {
        CommandFailure(
            CommandStatus.failed, "the editor “\(editor)” \(words); the edited copy is kept in \(path)")
    }

    private static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }
}
