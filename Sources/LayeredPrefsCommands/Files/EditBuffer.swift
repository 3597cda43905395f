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
        // Private to the user, because preferences may hold secrets.
        folder = try makePrivateFolder(
            "prefs-edit", inFolderOf: "TMPDIR",
            orThrow: "cannot create a temporary folder for the edited copy")
        path = "\(folder)/\(name)"
        try PrefsFileWriter(path).replace { _ in content }
    }

    var content: [UInt8] {
        get throws { try PrefsFileReader.read(path)?.bytes ?? [] }
    }

    /// Runs the user's editor on the copy and waits until it exits.
    func edit() throws {
        let editor = environmentVariable("VISUAL") ?? environmentVariable("EDITOR") ?? "vi"
        // The terminal sends them to both programs, and the editor decides what they mean.
        let handlers = Self.keyboardSignals.map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in handlers { signal(number, handler) } }
        // Through a shell, because the variable may contain options.
        guard
            let child = startProgram(
                "/bin/sh", "-c", "\(editor) \"$1\"", editor, path, receiving: Self.keyboardSignals)
        else { throw failed(editor, "cannot be started") }
        var status: CInt = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw failed(editor, "failed") }
    }

    /// The signals of ^C and ^\.
    private static let keyboardSignals = [SIGINT, SIGQUIT]

    func remove() {
        unsafe unlink(path)
        // Also remove the writer's lock file and the editor's backup, or the folder cannot be removed.
        unsafe unlink("\(folder)/.\(path.dropFirst(folder.utf8.count + 1)).lock")
        unsafe unlink("\(path)~")
        unsafe rmdir(folder)
    }

    private func failed(_ editor: String, _ words: String) -> CommandFailure {
        CommandFailure.failed("the editor “\(editor)” \(words); the edited copy is kept in \(path)")
    }
}
