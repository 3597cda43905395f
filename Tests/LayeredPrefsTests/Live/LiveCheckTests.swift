import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Checks that values alone cannot answer.
@Suite struct LiveCheckTests: StackSuite {
    struct Gateway: Codable, Sendable, Equatable {
        var listen = Listener()
        var key = "good.pem"
    }

    struct Listener: Codable, Sendable, Equatable { var port = 8080 }

    struct Upstream: Codable, Sendable { var host = "a" }

    struct Unreadable: Error, CustomStringConvertible {
        let description = "bad.pem: No such file or directory"
    }

    let fixture: StackFixture
    let calls = Recorder<String>()

    init() throws {
        fixture = try StackFixture("gateway.toml") { report in
            // On a busy machine, a handler that waits for long is reported, too.
            if report.severity == .warning { return nil }
            let (error, position) = (report.error, report.error.origin?.position?.description)
            return "\(position ?? "-"): \(error.key ?? "-"): \(error.reason)"
        }
    }

    static let rejected = "rejected by the program: "

    func stack() -> PrefsStack { stack(of: layer()) }

    /// Rejects a key file of one name.
    @Sendable func readKey(_ gateway: Gateway) async throws {
        calls.record("check \(gateway.key)")
        await Task.yield()
        if gateway.key == "bad.pem" {
            throw PrefsError(.unreadable, key: "key", reason: "\(Unreadable())")
        }
    }

    @Test func `what a check rejects at the start has a key, a file and a line`() async throws {
        let storage = stack()
        try edit("listen.port = 9000\nkey = \"bad.pem\"", storage)
        let error = await #expect(throws: PrefsError.self) {
            _ = try await Live(Gateway(), storage, check: readKey)
        }
        #expect(error?.key == "key" && error?.reason == "\(Self.rejected)bad.pem: No such file or directory")
        #expect(error?.origin?.file == folder["gateway.toml"])
        #expect(error?.origin?.position?.description == "2:1")
        // The first configuration has ended.
        try edit("listen.port = 9001\nkey = \"good.pem\"", storage)
        let gateway = try await Live(Gateway(), storage, check: readKey)
        #expect(gateway.current.listen.port == 9001)
        #expect(calls.elements == ["check bad.pem", "check good.pem"])
    }

    @Test func `a check that throws for the whole names the file`() async throws {
        let storage = stack()
        try edit("listen.port = 9000\nkey = \"bad.pem\"", storage)
        let error = await #expect(throws: PrefsError.self) {
            _ = try await Live(Gateway(), storage, check: { _ in throw Unreadable() })
        }
        #expect(error?.key == nil && error?.reason == "\(Self.rejected)bad.pem: No such file or directory")
        #expect(error?.origin?.file == folder["gateway.toml"])
    }

    @Test func `an edit is checked before the handlers are called`() async throws {
        let storage = stack()
        let gateway = try await Live(Gateway(), storage, check: readKey)
        let applying = gateway.apply(\.listen) { [calls] in calls.record("listen \($0.port)→\($1.port)") }
        try edit("listen.port = 9000\nkey = \"bad.pem\"", storage)
        try await gateway.applied()
        await storage.settled()
        #expect(gateway.current == Gateway())
        #expect(
            reports.elements == [
                "2:1: key: \(Self.rejected)bad.pem: No such file or directory; keeping the previous version"
            ]
        )
        try edit("listen.port = 9000\nkey = \"better.pem\"", storage)
        try await gateway.applied()
        #expect(gateway.current.key == "better.pem" && gateway.current.listen.port == 9000)
        #expect(
            calls.elements == [
                "check good.pem", "check bad.pem", "check better.pem", "listen 8080→9000",
            ])
        applying.cancel()
    }

    @Test func `an update is checked before it is stored`() async throws {
        let storage = stack()
        let gateway = try await Live(Gateway(), storage, check: readKey)
        let error = await #expect(throws: PrefsError.self) {
            try await gateway.update { $0.key = "bad.pem" }
        }
        #expect(error?.key == "key" && gateway.current == Gateway())
        try await gateway.update { $0.key = "better.pem" }
        #expect(gateway.current.key == "better.pem")
        #expect(calls.elements == ["check good.pem", "check bad.pem", "check better.pem"])
        #expect(!storage.isInconsistent)
    }

    @Test func `the errors of all checks of one edit are listed`() async throws {
        let storage = stack()
        let resolve = { @Sendable (upstream: Upstream) async throws in
            if upstream.host == "b" {
                throw PrefsError(.invalid, key: "upstream.host", reason: "no such host")
            }
        }
        let upstream = try await Live(Upstream(), storage, at: "upstream", check: resolve)
        let gateway = try await Live(Gateway(), storage, check: readKey)
        try edit("key = \"bad.pem\"\nupstream.host = \"b\"", storage)
        try await gateway.applied()
        await storage.settled()
        #expect(
            Set(reports.elements) == [
                "1:1: key: \(Self.rejected)bad.pem: No such file or directory; keeping the previous version",
                "2:10: upstream.host: \(Self.rejected)no such host; keeping the previous version",
            ])
        #expect(upstream.current.host == "a" && gateway.current == Gateway())
    }

    @Test(arguments: [
        ("key = \"bad.pem\"", ["key: \(rejected)bad.pem: No such file or directory"]),
        (
            "key = \"bad.pem\"\nupstream.host = 3",
            [
                "upstream.host: expected a string, found the integer 3",
                "key: \(rejected)bad.pem: No such file or directory",
            ]
        ),
        ("key = 3", ["key: expected a string, found the integer 3"]), ("key = \"good.pem\"", []),
    ])
    func `the check of several configurations runs those of the program`(text: String, problems: [String])
        async throws
    {
        let storage = stack()
        try edit(text, storage)
        let checkAll = { (check: inout PrefsConfigurationCheck) async in
            check(Upstream(), at: "upstream")
            await check(Gateway(), check: self.readKey)
        }
        var check = PrefsConfigurationCheck()
        await checkAll(&check)
        let found = await check.problemsWithChecks(of: storage)
        #expect(found.map { "\($0.key ?? "-"): \($0.reason)" } == problems)
        let status = await storage.checkConfiguration(arguments: ["gatewayd", "--check-config"], checkAll)
        #expect(status == (problems.isEmpty ? 0 : 1))
        #expect(await storage.checkConfiguration(arguments: ["gatewayd"], checkAll) == nil)
    }

    @Test(arguments: ["good.pem", "bad.pem"])
    func `a check without a start runs the program's check`(key: String) async throws {
        let storage = stack()
        try edit("listen.port = 9000\nkey = \"\(key)\"", storage)
        let status = await Live.checkConfiguration(
            Gateway(), storage, check: readKey, arguments: ["gateway", "--check-config"])
        #expect(status == (key == "bad.pem" ? 1 : 0))
        let problems = await Live.problems(of: Gateway(), storage, check: readKey)
        #expect(problems.map(\.key) == (key == "bad.pem" ? ["key"] : []))
        #expect(problems.allSatisfy { $0.origin?.position?.description == "2:1" })
        let none = await Live.checkConfiguration(Gateway(), storage, check: readKey, arguments: ["gateway"])
        #expect(none == nil)
    }
}
