import Foundation
import Testing

/// Without a schema, the name of a key decides whether its value is shown.
@Suite struct SuspectedSecretTests {
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(
            Sandbox.plist(
                """
                <key>auth</key><dict>
                  <key>apiToken</key><string>hunter2</string><key>user</key><string>ada</string>
                </dict>
                <key>db_password</key><string>hunter2</string>
                <key>upstreams</key><array><dict><key>key</key><string>hunter2</string></dict></array>
                <key>monkey</key><string>visible</string>
                """), to: sandbox.user)
        return sandbox
    }

    @Test(arguments: [["list"], ["list", "--json"], ["explain", "auth"], ["get", "auth"], ["export", "--json"]])
    func `a value whose key suggests a secret is hidden`(command: [String]) throws {
        let sandbox = try sandbox()
        let run = try sandbox.run(Sandbox.tool, command.prefix(1) + sandbox.layers + command.dropFirst())
        #expect(run.status == 0, "\(run)")
        #expect(!run.output.contains("hunter2"), "\(run)")
        #expect(run.output.contains("ada"), "\(run)")
    }

    @Test func `the value is shown on request`() throws {
        let sandbox = try sandbox()
        let list = try sandbox.layered("list")
        #expect(list.errors.contains("no schema that declares the keys is installed"), "\(list)")
        #expect(list.errors.contains("--show-secrets"), "\(list)")
        #expect(list.output.contains("visible"), "\(list)")
        let hidden = try sandbox.layered("get", "db_password")
        #expect(hidden.status == 3, "\(hidden)")
        #expect(hidden.errors.contains("no schema is installed; use --show-secrets"), "\(hidden)")
        #expect(try sandbox.layered("get", "db_password", "--show-secrets").output == "hunter2\n")
        #expect(try sandbox.layered("list", "--show-secrets").output.contains("hunter2"))
    }

    @Test func `a schema decides for itself what is secret`() throws {
        let sandbox = try sandbox()
        try sandbox.write(
            #"{"type": "object", "properties": {"db_password": {"type": "string"}}}"#, to: sandbox.schema)
        let run = try sandbox.layered("get", "db_password", "--schema", sandbox.schema)
        #expect(run.output == "hunter2\n", "\(run)")
    }
}
