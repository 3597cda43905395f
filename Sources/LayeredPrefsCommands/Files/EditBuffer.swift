import LayeredPrefs

import PrefsSystem

/// A copy of a layer's file for the editor, in a temporary folder of its own.
struct EditBuffer {
    let path: String
    private let folder: String
    private let name: String
    private let start: [UInt8]

    /// - Parameters:
    ///   - name: The name of the copy. Editors detect the format by it.
    ///   - content: The initial contents of the copy.
    init(named name: String, _ content: [UInt8]) throws {
        // Private to the user, because preferences may hold secrets.
        folder = try makePrivateFolder(
            "prefs-edit", inFolderOf: "TMPDIR",
            orThrow: "cannot create a temporary folder for the edited copy")
        path = "\(folder)/\(name)"
        (self.name, start) = (name, content)
        do { try PrefsFileWriter(path).write(content) } catch {
            remove()
            throw error
        }
    }

    /// The edited text; `nil` if the editor removed the file.
    var content: [UInt8]? {
        get throws { try PrefsFileReader.read(path)?.bytes }
    }

    /// Runs the user's editor on the copy and waits until it exits.
    func edit() throws {
        let editor = environmentVariable("VISUAL") ?? environmentVariable("EDITOR") ?? "vi"
        // Ignore these signals here: the terminal sends them to both programs, and the editor decides how to
        // react.
        let handlers = Self.keyboardSignals.map { ($0, signal($0, SIG_IGN)) }
        defer { for (number, handler) in handlers { signal(number, handler) } }
        // Start the editor through a shell, because the variable may contain options.
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

    /// Removes the folder, with the copy and the editor's backups.
    func remove() {
        for name in entryNames(in: folder) { unsafe unlink("\(folder)/\(name)") }
        unsafe rmdir(folder)
    }

    /// Removes the folder. If the user changed the text, first moves the copy beside the folder and returns its
    /// path there.
    func keepText() -> String? {
        guard let content = try? PrefsFileReader.read(path)?.bytes else {
            // If the editor removed the file, there is no text. A file that cannot be read may contain some.
            if unsafe access(path, F_OK) == 0 { return path }
            remove()
            return nil
        }
        if content == start {
            remove()
            return nil
        }
        guard let kept = reserveFile(), unsafe rename(path, kept) == 0 else { return path }
        remove()
        return kept
    }

    /// Creates an empty file with a new name that ends in the name of the edited file. Returns its path.
    private func reserveFile() -> String? {
        let base = folder.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        var template = Array("\(base)/prefs-edit.XXXXXX.\(name)".utf8CString)
        let descriptor = unsafe mkstemps(&template, CInt(name.utf8.count + 1))
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func failed(_ editor: String, _ words: String) -> CommandFailure {
        CommandFailure.failed("the editor “\(editor)” \(words)")
    }
}
