import FoundationEssentials
import LayeredPrefs

extension PersistentKey where Value == String {
    static var theme: Self { Self("editor.theme", defaultValue: "plain") }
    static var updates: Self { Self("updates.channel", defaultValue: "stable") }
}

extension PersistentKey where Value == Int {
    static var tabWidth: Self { Self("editor.tabWidth", defaultValue: 8, in: 1...16) }
}

/// A demonstration of a package's defaults, an administrator's lock, and two users with different
/// preferences: Ada's are saved by her program, Ben edits his file by hand.
@main
enum PerUserOverrides {
    static func main() throws {
        let root =
            FileManager.default.temporaryDirectory.path
            + "/per-user-\(ProcessInfo.processInfo.processIdentifier)"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try install(in: root)
        for user in ["ada", "ben"] {
            try edit(for: user, in: root)
            let storage = LayeredPrefsStorage.standard(
                domain: "com.example.edit", locations: locations(of: user, in: root), environment: [:],
                arguments: [])
            print("# \(user)")
            try choose(for: user, in: storage)
            print(
                storage.explanation(for: .theme), storage.explanation(for: .tabWidth),
                storage.explanation(for: .updates),
                separator: "\n")
            print()
        }
    }

    /// Sets Ada's preferences. They are saved, for every program that reads the same file, before the call
    /// returns.
    private static func choose(for user: String, in storage: LayeredPrefsStorage) throws {
        guard user == "ada" else { return }
        try storage.transaction { transaction in
            transaction.set(.theme, to: "dark")
            transaction.set(.tabWidth, to: 4)
        }
        do {
            try storage.set(.updates, to: "nightly")
        } catch {
            print("error: \(error)")
        }
    }

    /// Writes Ben's file: one valid value, one that is rejected, and one that is locked out.
    private static func edit(for user: String, in root: String) throws {
        guard user == "ben", let path = locations(of: user, in: root).user else { return }
        let file = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let text = """
            <plist version="1.0">
            <dict>
              <key>editor</key>
              <dict>
                <key>theme</key> <string>solar</string>
                <key>tabWidth</key> <integer>40</integer> <!-- wide! -->
              </dict>
              <key>updates.channel</key> <string>nightly</string>
            </dict>
            </plist>
            """
        try Data(text.utf8).write(to: file)
    }

    /// Installs the files of the package and the administrator.
    private static func install(in root: String) throws {
        let system = FilePrefsStorage(path: "\(root)/usr/share/edit/com.example.edit.plist")
        try system.setValue("light", forKey: "editor.theme")
        try system.setValue("stable", forKey: "updates.channel")
        try Data("# Only tested versions here.\nupdates\n".utf8)
            .write(to: URL(filePath: "\(root)/usr/share/edit/com.example.edit.locks"))
    }

    private static func locations(of user: String, in root: String) -> PrefsFileLocations {
        PrefsFileLocations(
            system: [.init(path: "\(root)/usr/share/edit/com.example.edit.plist")],
            user: "\(root)/home/\(user)/.config/com.example.edit.plist")
    }
}
