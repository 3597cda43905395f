import Foundation
import LayeredPrefs
import Synchronization
import Testing

/// Files in a format that a program cannot read because it is built without the trait for it.
@Suite struct UnreadableFormatTests {
    private let folder = TemporaryFolder()
    private let port = PersistentKey("port", defaultValue: 1)

    @Test(arguments: ["relay.yaml", "relay.yml", "relay.toml.d/50-port.yaml"])
    func `a file of such a format is reported`(name: String) throws {
        let path = folder.path(name)
        try FileManager.default.createDirectory(
            atPath: folder.path("relay.toml.d"), withIntermediateDirectories: true)
        try "port: 7777\n".write(toFile: path, atomically: true, encoding: .utf8)
        let reports = Mutex<[PrefsError]>([])
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { report in reports.withLock { $0.append(report.error) }
        }
        let storage = PrefsStack(diagnostics: options.diagnostics) {
            PrefsLayer(
                "system",
                SystemPrefsStorage(locations: [.init(path: folder.path("relay.toml"))], options: options))
        }
        #expect(storage.get(port) == 1)
        let found = reports.withLock { $0 }
        #expect(found.map(\.origin?.file) == [path])
        #expect(found.map(\.reason).allSatisfy { $0.hasPrefix("this program cannot read YAML") })
    }
}
