import LayeredPrefs
import PrefsSystem

/// Opens the browser at a URL through a private file, because other users can read the arguments of a program
/// and could use the token first.
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

    /// Starts the desktop's program for pages; returns false if there is none, or no desktop.
    func open() -> Bool {
        // Without a desktop the program would look for browsers on the terminal.
        guard unsafe getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return false }
        return startProgram("xdg-open", file) != nil
    }

    func remove() {
        unsafe unlink(file)
        unsafe rmdir(folder)
    }
}
