import ArgumentParser
import LayeredPrefs
import LayeredPrefsCommands

/// A desktop program whose windows are processes. Each of them may save settings at any time, and nothing is lost.
///
/// ```
/// notes open a.txt               # one more recent file
/// notes resize 1280              # one field of the window
/// notes feature newParser true   # one entry of a dictionary
/// notes prefs set theme dark     # the commands of the tool `prefs`
/// notes serve                    # prints the settings after each change, whoever makes it
/// ```
@main struct Notes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notes", abstract: "Take notes.",
        subcommands: [Open.self, Resize.self, Feature.self, Serve.self, PrefsCommands<Settings>.self])

    static func main() async { await PrefsCommandLine.run(Notes.self) }
}

/// The subject of `notes prefs`.
enum Settings: PrefsCommandSource {
    static let commandName = "prefs"
    static let domain: String? = Prefs.domain
    static var keys: [PrefsKeyDescription] { Prefs.keys }
    static let locations: PrefsFileLocations? = .standard(
        domain: Prefs.domain, folder: "notes", format: .toml)
}

struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Open a file.")
    @Argument var file: String

    /// If two windows open files at the same moment, both files are kept.
    func run() throws {
        try Prefs().update(\.recentFiles) { files in
            files = [file] + files.filter { $0 != file }.prefix(9)
        }
    }
}

struct Resize: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Change the width of the window.")
    @Argument var width: Int

    /// Stores only the width, so another window can change the height at the same time.
    func run() { Prefs().window.width = width }
}

struct Feature: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Switch a feature on or off.")
    @Argument var name: String
    @Argument var isOn = true

    func run() { Prefs().features[name] = isOn }
}

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the settings, and again after each change.")

    func run() async {
        let prefs = Prefs()
        let lines = Observations {
            let now = prefs.snapshot  // All values are of one moment.
            let count = now.features.count(where: \.value)
            return "\(now.theme), \(now.window), \(now.recentFiles), \(count) features, \(now.server)"
        }
        for await line in lines { print(line) }
    }
}
