import Testing

/// The tool in a root without `/proc`, which image builders, rescue systems and maintainer scripts have.
@Suite struct MissingProcTests {
    private let sandbox: Sandbox

    init() throws {
        #if TSAN
            try Test.cancel("ThreadSanitizer itself reads /proc, and complains on standard error")
        #endif
        sandbox = try Sandbox()
        let isPermitted = try sandbox.run(
            "/usr/bin/env", ["unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/proc"])
        if isPermitted.status != 0 { try Test.cancel("requires permission to mount in a namespace") }
    }

    private func run(_ arguments: String...) throws -> Run {
        let hide = #"mount -t tmpfs none /proc && exec "$0" "$@""#
        return try sandbox.run(
            "/usr/bin/env", ["unshare", "-Urm", "sh", "-c", hide, Sandbox.tool] + arguments)
    }

    @Test func `commands read their arguments without proc`() throws {
        let layer = ["--layer", "user=\(sandbox.user)"]
        let written = try run("set", "http.port", "81", "--type", "int", layer[0], layer[1])
        #expect(written.status == 0 && written.output == "" && written.errors == "", "\(written)")
        let read = try run("get", "http.port", layer[0], layer[1])
        #expect(read.status == 0 && read.output == "81\n", "\(read)")
        let missing = try run("validate", "/nonexistent.toml")
        #expect(missing.status != 0 && missing.output.contains("no such file"), "\(missing)")
        #expect(try run("nonsense").status == 2)
        #expect(try run().output.contains("SUBCOMMANDS"))
    }

    @Test func `an argument that is not UTF-8 is a usage error without proc`() throws {
        let script = #"mount -t tmpfs none /proc && exec "$0" get "$(printf '\377')""#
        let run = try sandbox.run("/usr/bin/env", ["unshare", "-Urm", "sh", "-c", script, Sandbox.tool])
        #expect(run.status == 2 && run.errors.contains("not UTF-8"), "\(run)")
    }
}
