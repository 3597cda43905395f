import Foundation
import Testing

@Suite(.serialized) struct WatchTests {
    private func plist(_ port: Int) -> String {
        Sandbox.plist("<key>http</key><dict><key>port</key><integer>\(port)</integer></dict>")
    }

    private static let members: Set<String> = [
        "time", "generation", "key", "old", "new", "layer", "file", "cause",
    ]

    @Test(arguments: [SIGINT, SIGTERM])
    func `a signal ends the watch with success`(signal: Int32) throws {
        let sandbox = try Sandbox()
        let watch = try WatchRun(sandbox, sandbox.layers)
        try watch.waitUntilReady()
        #expect(watch.end(signal) == 0)
    }

    @Test func `an editor rename, sed and a symbolic link swap are noticed`() throws {
        let sandbox = try Sandbox()
        let mount = "\(sandbox.root)/mount"
        try sandbox.write(plist(1), to: "\(mount)/..one/user.plist")
        try sandbox.write(plist(3), to: "\(mount)/..two/user.plist")
        _ = try sandbox.run("/bin/ln", ["-s", "..one", "\(mount)/..data"])
        _ = try sandbox.run("/bin/ln", ["-s", "..data/user.plist", "\(mount)/user.plist"])
        try sandbox.write(plist(10), to: sandbox.system)
        let watch = try WatchRun(
            sandbox, ["--layer", "system=\(sandbox.system)", "--layer", "mounted=\(mount)/user.plist"])
        try watch.waitUntilReady()

        // Like Kubernetes: a new link is renamed over the old one.
        _ = try sandbox.run("/bin/ln", ["-s", "..two", "\(mount)/..next"])
        _ = try sandbox.run("/bin/mv", ["-T", "\(mount)/..next", "\(mount)/..data"])
        var change = try watch.change()
        #expect(Set(change.keys) == Self.members)
        #expect(
            change["key"] as? String == "http.port" && change["old"] as? Int == 1
                && change["new"] as? Int == 3)
        #expect(change["layer"] as? String == "mounted" && change["cause"] as? String == "file")
        #expect(change["file"] as? String == "\(mount)/user.plist")

        // Like an editor. The lower layer is shadowed until the link is removed.
        try sandbox.write(plist(11), to: "\(sandbox.root)/system.new")
        _ = try sandbox.run("/bin/mv", ["\(sandbox.root)/system.new", sandbox.system])
        _ = try sandbox.run("/bin/rm", ["\(mount)/user.plist"])
        change = try watch.change()
        #expect(
            change["old"] as? Int == 3 && change["new"] as? Int == 11
                && change["layer"] as? String == "system")

        _ = try sandbox.run("/bin/sed", ["-i", "s/11/12/", sandbox.system])
        change = try watch.change()
        #expect(change["old"] as? Int == 11 && change["new"] as? Int == 12)

        _ = try sandbox.run("/bin/rm", [sandbox.system])
        change = try watch.change()
        #expect(change["new"] is NSNull && change["layer"] is NSNull && change["file"] is NSNull)
        #expect(watch.end(SIGTERM) == 0)
    }

    @Test func `initial values precede the ready line`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(plist(80), to: sandbox.user)
        let watch = try WatchRun(sandbox, ["--initial", "--schema", sandbox.schema, "http"] + sandbox.layers)
        let first = try watch.line()
        #expect(Set(first.keys) == Self.members)
        #expect(
            first["key"] as? String == "http.port" && first["new"] as? Int == 80 && first["old"] is NSNull)
        #expect(try watch.line()["ready"] as? Bool == true)
        #expect(watch.end(SIGINT) == 0)
    }

    @Test func `a former name watches the key that has it no more`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(plist(80), to: sandbox.user)
        let watch = try WatchRun(
            sandbox, ["--schema", sandbox.schema, "port"] + sandbox.layers, asText: true)
        try watch.wait(for: "watching")
        #expect(watch.output.contains("port: renamed to “http.port”"))
        #expect(!watch.output.contains("unknown key"))
        try sandbox.write(plist(8181), to: sandbox.user)
        try watch.wait(for: "8181")
        #expect(watch.end(SIGTERM) == 0)
    }

    @Test func `broken files and recoveries are reported as lines`() throws {
        let sandbox = try Sandbox()
        try sandbox.write(plist(80), to: sandbox.user)
        let watch = try WatchRun(sandbox, ["--schema", sandbox.schema] + sandbox.layers)
        try watch.waitUntilReady()
        try sandbox.write("<plist", to: sandbox.user)
        let broken = try watch.line()["diagnostic"] as? [String: Any]
        #expect(broken?["severity"] as? String == "error" && broken?["file"] as? String == sandbox.user)
        try sandbox.write(plist(81), to: sandbox.user)
        let recovered = try watch.line()["diagnostic"] as? [String: Any]
        #expect(recovered?["severity"] as? String == "recovered")
        let change = try watch.change()
        #expect(change["old"] as? Int == 80 && change["new"] as? Int == 81)
        try sandbox.write(plist(70000), to: sandbox.user)
        let rejected = try watch.line()["diagnostic"] as? [String: Any]
        #expect(rejected?["code"] as? String == "invalid" && rejected?["key"] as? String == "http.port")
        #expect(watch.end(SIGTERM) == 0)
    }

    @Test func `secrets are hidden and a lock is reported as the cause`() throws {
        let sandbox = try Sandbox()
        let watch = try WatchRun(sandbox, ["--schema", sandbox.schema] + sandbox.layers)
        try watch.waitUntilReady()
        _ = try sandbox.layered("set", "token", "s3cret", "--schema", sandbox.schema)
        let secret = try watch.change()
        #expect(secret["key"] as? String == "token" && secret["new"] as? String == "••••")
        _ = try sandbox.layered("lock", "token")
        let locked = try watch.change()
        #expect(locked["cause"] as? String == "lock" && locked["new"] is NSNull)
        #expect(watch.end(SIGTERM) == 0)
    }
}
