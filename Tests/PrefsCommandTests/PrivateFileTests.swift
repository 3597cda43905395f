import Foundation
import Testing

/// A system file that is private because of a secret in it.
@Suite struct PrivateFileTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        _ = try sandbox.layered("set", "token", "hunter2", "--to", "system", "--schema", sandbox.schema)
    }

    @Test func `each write of a secret says where it went, and names a file of its own`() throws {
        for secret in ["hunter3", "hunter4"] {
            let run = try sandbox.layered(
                "set", "token", secret, "--to", "system", "--schema", sandbox.schema)
            #expect(run.status == 0, "\(run)")
            #expect(
                run.errors.contains("token: stored in \(sandbox.system), which only this user may read"),
                "\(run)")
            #expect(run.errors.contains("such as \(sandbox.system).d/secrets.plist"), "\(run)")
        }
    }

    @Test func `each write of another key says that others do not get it`() throws {
        try sandbox.write(#"{"http": {"port": 82}}"#, to: "\(sandbox.root)/new.json")
        for command in [
            ["set", "http.port", "81"], ["import", "new.json"], ["set", "http", #"{"port": 83}"#],
        ] {
            let run = try sandbox.run(
                Sandbox.tool, command + sandbox.layers + ["--to", "system", "--schema", sandbox.schema])
            #expect(run.status == 0, "\(run)")
            #expect(
                run.errors.contains(
                    "http.port: stored in \(sandbox.system), which only this user may read; move secrets to a file "
                        + "of their own, such as \(sandbox.system).d/secrets.plist"), "\(run)")
        }
    }

    @Test func `the doctor names it if it has other settings, too`() throws {
        let words = "\(sandbox.system): other users may not read this file (0600 "
        let alone = try sandbox.layered("doctor", "--schema", sandbox.schema)
        #expect(!alone.output.contains(words), "\(alone)")
        _ = try sandbox.layered("set", "http.port", "81", "--to", "system", "--schema", sandbox.schema)
        let run = try sandbox.layered("doctor", "--schema", sandbox.schema)
        #expect(run.status == 1 && run.output.contains(words), "\(run)")
        // Follow the doctor's advice.
        let own = "\(sandbox.system).d/secrets.plist"
        _ = try sandbox.layered("unset", "token", "--to", "system", "--schema", sandbox.schema)
        _ = try sandbox.prefs(
            "set", "token", "hunter2", "--layer", "secrets=\(own)", "--schema", sandbox.schema)
        _ = try sandbox.run("/bin/chmod", ["o+r", sandbox.system])
        let mended = try sandbox.layered("doctor", "--schema", sandbox.schema)
        #expect(mended.status == 0 && mended.output.contains("No problems found."), "\(mended)")
        let get = try sandbox.layered("get", "token", "--show-secrets", "--schema", sandbox.schema)
        #expect(get.output == "hunter2\n", "\(get)")
    }
}
