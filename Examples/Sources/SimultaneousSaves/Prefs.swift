import LayeredPrefs

enum Theme: String, CaseIterable, Sendable { case light, dark, solarized }

struct Window: Codable, Sendable, CustomStringConvertible {
    var width = 1024, height = 768
    var description: String { "\(width)x\(height)" }
}

/// The settings of the program. Users change them in the program, on the command line or in an editor.
///
/// - `/etc/xdg/com.example.notes.toml` and `com.example.notes.locks`: the administrator's, for all users
/// - `~/.config/notes/notes.toml`: the user's
/// - `debug.toml`: a developer's, which exists in debug builds only
@PrefsSchema final class Prefs {
    @Storage var storage = PrefsStack.standard(
        domain: Prefs.domain, folder: "notes", format: .toml, debug: .file(at: "debug.toml"))

    /// The colours of the editor.
    @Pref var theme: Theme = .light

    /// The files that were opened last, the newest first.
    @Pref var recentFiles: [String] = []

    /// The size of the window.
    @Pref var window: Window = Window()

    /// The features that are switched on or off, by name.
    @Pref(merge: .deep) var features: [String: Bool] = [:]

    /// The token for the server that keeps notes in step.
    @Pref(key: "sync.token", secret: true) var token: String?

    /// The server for notes; developers use another one.
    @Pref(key: "sync.server", debugOnly: true, releaseValue: "notes.example.com")
    var server: String = "localhost"

    static let domain = "com.example.notes"
}
