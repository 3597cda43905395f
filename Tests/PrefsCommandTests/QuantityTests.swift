import Foundation
import Testing

/// Durations and byte counts that a schema declares.
@Suite struct QuantityTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        let schema = """
            {"type": "object", "properties": {
              "timeout": {"type": "string", "default": "30s", "pattern": "s$", "x-prefs": {
                "type": "duration", "environment": "MYD_TIMEOUT", "minimum": "1s", "maximum": "1h"}},
              "size": {"type": ["integer", "string"], "default": 4096, "x-prefs": {
                "type": "byte count", "environment": "MYD_SIZE", "exclusiveMaximum": "1 GiB"}},
              "delays": {"type": "array", "x-prefs": {"type": "array of duration"}}}}
            """
        try sandbox.write(schema, to: sandbox.schema)
        return sandbox
    }

    @Test(
        arguments: [
            ("timeout", "90s", "<string>90s</string>"), ("size", "1 MiB", "<string>1 MiB</string>"),
            ("size", "512", "<integer>512</integer>"), ("delays", "1s,2m", "<string>2m</string>"),
        ])
    func `set stores what was written`(key: String, text: String, element: String) throws {
        let sandbox = try sandbox()
        let run = try sandbox.layered("set", key, text, "--schema", sandbox.schema)
        #expect(run.status == 0, "\(run)")
        #expect(try sandbox.text(of: sandbox.user).contains(element))
    }

    @Test(
        arguments: [
            ("timeout", "90", "expected a duration such as"),
            ("timeout", "90m", "expected 1s...1h, found 90m"),
            ("size", "64K", "expected a size such as"), ("size", "2 GiB", "expected ..<1 GiB"),
        ])
    func `set rejects what the program would reject`(key: String, text: String, message: String) throws {
        let sandbox = try sandbox()
        let run = try sandbox.layered("set", key, text, "--schema", sandbox.schema)
        #expect(run.status != 0)
        #expect(run.errors.contains(message), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
    }
}
