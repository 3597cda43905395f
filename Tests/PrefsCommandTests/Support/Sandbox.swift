import Foundation
import Testing

/// A folder with a system and a user file, and the built tool to run on them.
final class Sandbox: Sendable {
    let root: String
    let environment: [String: String]

    let system: String
    let user: String
    var schema: String { "\(root)/schema.json" }
    var layers: [String] { ["--layer", "system=\(system)", "--layer", "user=\(user)"] }

    init(system: String = "system.plist", user: String = "user.plist") throws {
        root = NSTemporaryDirectory() + "prefs-tests-" + UUID().uuidString
        self.system = "\(root)/\(system)"
        self.user = "\(root)/\(user)"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        environment = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": root,
            "TMPDIR": root,
            "XDG_CONFIG_DIRS": "\(root)/xdg", "XDG_DATA_DIRS": "\(root)/share", "TERM": "xterm",
        ]
        try write(Self.schemaText, to: schema)
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// The path of the tool, which is built into the same folder as these tests.
    static let tool: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("prefs").path
    }()

    func write(_ text: String, to path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    func text(of path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// Returns a property list with these entries in its dictionary.
    static func plist(_ entries: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \(entries)
        </dict>
        </plist>

        """
    }

    static let schemaText = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Prefs",
          "type": "object",
          "properties": {
            "http": {"type": "object", "properties": {
              "port": {"type": "integer", "description": "The port to listen on.", "default": 8080,
                "minimum": 1, "maximum": 65535,
                "x-prefs": {"type": "integer", "environment": "MYD_HTTP_PORT",
                "condition": "the program also requires a free port", "formerNames": ["port"]}},
              "host": {"type": "string", "x-prefs": {"type": "string", "environment": "MYD_HTTP_HOST"}}}},
            "level": {"type": "string", "default": "info", "enum": ["debug", "info"],
              "x-prefs": {"type": "string", "environment": "LOUDNESS", "needsRestart": true}},
            "limits": {"type": "object", "additionalProperties": {"type": "integer"},
              "x-prefs": {"type": "dictionary of integer", "environment": "MYD_LIMITS"}},
            "ratio": {"type": "number", "default": 0.5, "minimum": 0, "exclusiveMaximum": 1,
              "x-prefs": {"type": "real", "environment": "MYD_RATIO"}},
            "since": {"type": "string", "format": "date-time",
              "x-prefs": {"type": "date", "environment": "MYD_SINCE"}},
            "token": {"type": "string", "writeOnly": true,
              "x-prefs": {"type": "string", "environment": "MYD_TOKEN", "secret": true}}
          }
        }

        """
}
