import FileWatching
import Foundation
import LayeredPrefs

/// A typical daemon's stack: overrides, the environment, the user's property list, the system's property list, and
/// defaults.
///
/// The rows read values from the user's file. The two layers below have the same keys.
final class FiveLayers {
    let folder: Folder
    let storage: PrefsStack
    var userFile: String { folder.path + "/user.plist" }

    /// - Parameter coalescing: The policy for edits that closely follow each other.
    init(in folder: Folder? = nil, coalescing: PrefsCoalescing = .standard) throws {
        let folder = try folder ?? Folder()
        self.folder = folder
        try folder.write(Self.user(port: 8443), to: "user.plist")
        try folder.write(PropertyList.text(Self.system), to: "system.plist")
        let path = folder.path
        storage = PrefsStack(coalescing: coalescing, diagnostics: .silent) {
            PrefsLayer.defaults(Dictionary(uniqueKeysWithValues: Self.defaults))
            PrefsLayer(.system, FilePrefsStorage(path: path + "/system.plist"))
            PrefsLayer(.user, FilePrefsStorage(path: path + "/user.plist"))
            PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "BENCH_", environment: Self.variables))
            PrefsLayer(.overrides, DictionaryPrefsStorage(values: ["group0.setting0": 1]))
        }
    }

    static let variables = [
        "BENCH_LOG_LEVEL": "debug", "BENCH_CACHE_SIZE": "4096", "PATH": "/usr/bin", "HOME": "/home/ada",
    ]

    /// Returns the entries that the rows read. The values differ from layer to layer.
    static func subjects(_ seed: Int) -> [(String, PrefsValue)] {
        [
            ("int", .integer(Int128(seed))), ("bool", .bool(true)), ("double", .real(Double(seed) + 0.5)),
            ("short", .string("short \(seed % 1000)")),
            ("long", .string("a text that does not fit into sixteen bytes \(seed)")),
            ("table", ["one": 1, "two": .integer(Int128(seed))]),
            (
                "http",
                [
                    "port": .integer(Int128(seed)),
                    "host": .string("a-host-name-of-some-length-\(seed).example"),
                ]
            ),
        ]
    }

    static let defaults = subjects(80) + PropertyList.sample(100)
    static let system = subjects(8080) + PropertyList.sample(60)

    static func user(port: Int) -> String { PropertyList.text(subjects(port) + PropertyList.sample(30)) }
}

extension PrefsDiagnosticHandler {
    /// A handler with a subscriber that ignores everything, because undeclared keys do not matter here.
    static let silent = PrefsDiagnosticHandler()
    private static let listener = silent.subscribe { _ in }

    static func hush() { _ = listener }
}
