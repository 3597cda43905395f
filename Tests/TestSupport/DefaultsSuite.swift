package import Foundation

/// A suite of defaults that no other test uses, removed with its file on release.
package final class DefaultsSuite: Sendable {
    package let name: String

    package init(name: String = "LayeredPrefsTests-\(UUID().uuidString)") { self.name = name }

    // It is nil only for the global domain and the program's own, which have other names.
    package var defaults: UserDefaults { UserDefaults(suiteName: name)! }

    /// The path of the file in which Foundation saves the suite.
    package var file: String {
        let home = FileManager.default.homeDirectoryForCurrentUser
        return home.appendingPathComponent(".config/\(name).plist").path
    }

    deinit {
        // A file that is only deleted is written again when the process exits.
        defaults.removePersistentDomain(forName: name)
        _ = defaults.synchronize()
        try? FileManager.default.removeItem(atPath: file)
    }
}
