import LayeredPrefs
import PrefsSystem

/// Opens the browser at a URL through a private file, because other users can read the arguments of a program
/// and could use the token first.
struct PageOpener {
    private let folder: String
    private var file: String { "\(folder)/open.html" }

    init(_ url: String) throws {
        let base = unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/prefs-ui.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            let code = errno
            throw PrefsError(
                .unwritable, origin: PrefsOrigin(file: base), errno: code,
                reason: "cannot create a private folder for the page's address")
        }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let page = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content='0;url=\(url)'>\n"
        try PrefsFileWriter(file, options: PrefsFileWriteOptions(creationMode: 0o600)).replace { _ in
            Array(page.utf8)
        }
    }

    /// Starts the desktop's program for pages; returns false if there is none, or no desktop.
    func open() -> Bool {
        // Without a desktop the program would look for browsers on the terminal.
        guard unsafe getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return false }
        let words = ["xdg-open", file]
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
        unsafe arguments.append(nil)
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var child: pid_t = 0
        return unsafe posix_spawnp(&child, "xdg-open", nil, nil, arguments, environ) == 0
    }

    func remove() {
        unsafe unlink(file)
        unsafe unlink("\(folder)/.open.html.lock")
        unsafe rmdir(folder)
    }
}
