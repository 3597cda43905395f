import Foundation

/// A temporary folder. Its release removes it.
final class TemporaryFolder: Sendable {
    let name = "LayeredPrefsRelease-\(UUID().uuidString)"
    private var url: URL { FileManager.default.temporaryDirectory.appendingPathComponent(name) }

    init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit {
        try? FileManager.default.removeItem(at: url)
        let defaults = FileManager.default.homeDirectoryForCurrentUser
            .appendingPathComponent(".config/\(name).plist")
        try? FileManager.default.removeItem(at: defaults)
    }

    func path(_ file: String) -> String { url.appendingPathComponent(file).path }
}
