import LayeredPrefs
import PrefsSystem

/// Opens the browser at a URL through a private file. Other users can read a program's arguments, so they could
/// use the token in a URL first.
struct PageOpener {
    private let folder: String
    private var file: String { "\(folder)/open.html" }

    init(_ url: String) throws {
        folder = try makePrivateFolder(
            "prefs-ui", inFolderOf: "XDG_RUNTIME_DIR",
            orThrow: "cannot create a private folder for the page's address")
        let page = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content='0;url=\(url)'>\n"
        try PrefsFileWriter(file, options: PrefsFileWriteOptions(creationMode: 0o600)).write(Array(page.utf8))
    }

    /// Starts the desktop's program for web pages. Returns false if there is no such program, or no desktop.
    func open() -> Bool {
        // Without a desktop, the program would look for a browser that runs in the terminal.
        guard unsafe getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return false }
        return startProgram("xdg-open", file) != nil
    }

    func remove() {
        unsafe unlink(file)
        unsafe rmdir(folder)
    }
}
