import Foundation
import TestSupport
import Testing

@testable import LayeredPrefs

/// `myd --check-config`, for a struct and for keys.
@Suite struct CheckConfigurationTests {
    private struct Relay: Codable, Sendable {
        @Setting(in: 1...65535) var port = 25
        @Setting(in: 1...10) var limit = 5
    }

    private let folder: TemporaryFolder
    private let keys = [
        PrefsKeyDescription(PersistentKey("port", defaultValue: 25, in: 1...65535)),
        PrefsKeyDescription(PersistentKey("limit", defaultValue: 5, in: 1...10)),
    ]

    init() throws { folder = try TemporaryFolder() }

    private func storage(_ text: String) throws -> PrefsStack {
        let path = try folder.write(text, to: "relay.json")
        return PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer("site", FilePrefsStorage(path: path))
        }
    }

    @Test func `a program that is not asked starts`() throws {
        let storage = try storage(#"{"port": 70000}"#)
        #expect(storage.checkConfiguration(keys, arguments: ["myd"]) == nil)
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["myd"]) == nil)
    }

    @Test(arguments: [
        (#"{"port": 26, "limit": 6}"#, 0), (#"{"port": 70000}"#, 1), (#"{"port": 26"#, 1), ("{}", 0),
    ])
    func `the status says whether anything is wrong`(text: String, status: Int32) throws {
        let storage = try storage(text)
        #expect(storage.checkConfiguration(keys, arguments: ["myd", "--check-config"]) == status)
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["myd", "--check-config"]) == status)
    }

    @Test func `files are checked in place of the program's own`() throws {
        let storage = try storage(#"{"port": 70000}"#)
        let other = try folder.write("port = 26\n", to: "new.toml")
        #expect(storage.checkConfiguration(keys, arguments: ["myd", "--check-config", other]) == 0)
        let missing = folder["missing.toml"]
        #expect(storage.checkConfiguration(keys, arguments: ["myd", "--check-config", missing]) == 1)
    }

    @Test func `a file behind an equals sign is checked, too`() throws {
        let storage = try storage("{}")
        let right = try folder.write("port = 26\n", to: "right.toml")
        let wrong = try folder.write("port = 70000\n", to: "wrong.toml")
        func status(_ arguments: String...) -> Int32? {
            let byKeys = storage.checkConfiguration(keys, arguments: ["myd"] + arguments)
            let byType = Live.checkConfiguration(Relay(), storage, arguments: ["myd"] + arguments)
            #expect(byKeys == byType)
            return byType
        }
        #expect(status("--check-config=\(right)") == 0)
        #expect(status("--check-config=\(wrong)") == 1)
        #expect(status("--check-config=\(right)", wrong) == 1)
        #expect(status("--check-config=\(right)", "--check-config=\(wrong)") == 1)
        #expect(status("--check-config=\(folder["missing.toml"])") == 1)
        #expect(status("--check-config=") == 1)
        #expect(status("--check-configuration") == nil)
    }

    @Test func `what stands behind two hyphens is the program's own`() throws {
        let storage = try storage(#"{"port": 70000}"#)
        for own in [["--check-config"], ["--check-config=/dev/null"]] {
            #expect(storage.checkConfiguration(keys, arguments: ["myd", "--"] + own) == nil)
            #expect(Live.checkConfiguration(Relay(), storage, arguments: ["myd", "--"] + own) == nil)
        }
        let right = try folder.write("port = 26\n", to: "right.toml")
        let missing = folder["missing.toml"]
        let arguments = ["myd", "--check-config", right, "--", missing]
        #expect(storage.checkConfiguration(keys, arguments: arguments) == 0)
    }

    /// Returns a daemon's stack with flags, whose arguments ask for a check.
    private func daemon(_ text: String, _ arguments: [String]) throws -> PrefsStack {
        let path = try folder.write(text, to: "relay.json")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return PrefsStack(
            coalescing: .standard, diagnostics: options.diagnostics,
            [
                PrefsLayer("site", FilePrefsStorage(path: path, options: options)),
                PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments, style: .flags)),
            ])
    }

    @Test(
        arguments: [
            (["--check-config", "--port", "9"], nil),
            (["--check-config", "--prot", "9"], "--prot: unknown flag; did you mean “--port”?"),
            (["--prot", "9", "--check-config"], "--prot: unknown flag; did you mean “--port”?"),
            (["--check-config", "--port", "70000"], "port: expected 1...65535, found the integer 70000"),
            (
                ["--check-config", "--port"],
                "port: expected a value, as in --port VALUE; one that begins with “--” needs an equals sign"
            ),
        ] as [([String], String?)])
    func `a wrong flag is one problem, also of a check of files`(arguments: [String], problem: String?) throws
    {
        let storage = try daemon("{}", arguments)
        let found = Live.problems(of: Relay(), storage).map { error in
            "\(error.key ?? error.origin?.spelling ?? ""): \(error.reason)"
        }
        #expect(found == [problem].compactMap(\.self))
        let status: Int32 = problem == nil ? 0 : 1
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["relay"] + arguments) == status)
        let file = try folder.write("port = 26\n", to: "new.toml")
        let naming = ["--check-config", file] + arguments.filter { $0 != "--check-config" }
        #expect(
            Live.checkConfiguration(Relay(), try daemon("{}", naming), arguments: ["relay"] + naming)
                == status)
    }

    @Test(arguments: [["--set"], ["--set", "limit"], ["--set=limit:7"], ["--set", "=3"], ["--set=limt=7"]])
    func `a setting that sets nothing is a problem`(settings: [String]) throws {
        let arguments = ["--check-config"] + settings
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments))
        }
        #expect(storage.checkConfiguration(keys, arguments: ["relay"] + arguments) == 1)
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["relay"] + arguments) == 1)
    }

    @Test func `a file that cannot be read has no consequences among the problems`() throws {
        struct Needy: Codable, Sendable { @Setting(required: true) var token = "" }
        struct Rejected: Error {}
        let storage = try storage(#"{"token": "#)
        let found = Live.problems(of: Needy(), storage, rule: { _ in throw Rejected() })
        #expect(found.map(\.code) == [.syntax])
        #expect(throws: PrefsError.self) { _ = try Live(Needy(), storage, rule: { _ in throw Rejected() }) }
    }

    @Test func `what a rule says has the file, or all places that the values are from`() throws {
        struct Rejected: Error, CustomStringConvertible { let description = "the limit is above the port" }
        let rule: @Sendable (Relay) throws -> Void = { if $0.limit > $0.port { throw Rejected() } }
        let one = try storage(#"{"port": 2, "limit": 6}"#)
        func lines(_ problems: [PrefsError]) -> [String] {
            problems.map { "\($0)".replacing(folder.path, with: "") }
        }
        #expect(
            lines(Live.problems(of: Relay(), one, rule: rule)) == [
                "site /relay.json: rejected by a rule of the program: the limit is above the port"
            ])
        let error = #expect(throws: PrefsError.self) { _ = try Live(Relay(), one, rule: rule) }
        #expect(error?.origin?.file == folder["relay.json"])
        let path = try folder.write("port = 2\n", to: "site.toml")
        let two = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) {
            PrefsLayer("site", FilePrefsStorage(path: path))
            PrefsLayer(
                .environment, EnvironmentPrefsStorage(prefix: "RELAY_", environment: ["RELAY_LIMIT": "6"]))
        }
        #expect(
            lines(Live.problems(of: Relay(), two, rule: rule)) == [
                "rejected by a rule of the program: the limit is above the port; "
                    + "the values are from site /site.toml, environment"
            ])
    }

    @Test func `an error that was printed when the stack was created is known`() throws {
        let path = try folder.write("x = \n", to: "relay.toml")
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler()
        let storage = PrefsStack(
            coalescing: .standard, diagnostics: options.diagnostics,
            [PrefsLayer("site", FilePrefsStorage(path: path, options: options))])
        let problems = Live.problems(of: Relay(), storage)
        #expect(problems.count == 1 && problems.allSatisfy(storage.diagnostics.hasPrinted))
        let silent = try self.storage("{")
        #expect(!Live.problems(of: Relay(), silent).contains(where: silent.diagnostics.hasPrinted))
    }

    private func warnings(
        about storage: PrefsStack, _ body: (inout PrefsConfigurationCheck) -> Void
    ) -> [PrefsError] {
        var check = PrefsConfigurationCheck()
        body(&check)
        return check.warnings(about: storage)
    }

    private struct RateLimit: Codable, Sendable {
        @Setting(in: 1...10) var burst = 5
    }

    @Test func `several configurations of a stack are checked together`() throws {
        struct Rejected: Error, CustomStringConvertible { let description = "the limit is above the burst" }
        let checkAll = { (check: inout PrefsConfigurationCheck) in
            check(Relay())
            check(RateLimit(), at: "rateLimit") { if $0.burst == 9 { throw Rejected() } }
            check([PrefsKeyDescription(PersistentKey("color", defaultValue: 1, in: 1...3))])
        }
        func outcome(_ text: String) throws -> (Int32?, problems: [String], warnings: [String]) {
            let storage = try self.storage(text)
            var check = PrefsConfigurationCheck()
            checkAll(&check)
            let status = storage.checkConfiguration(arguments: ["myd", "--check-config"], checkAll)
            let lines = [check.problems(of: storage), check.warnings(about: storage)].map { errors in
                errors.map { "\($0.key ?? "-"): \($0.reason)" }
            }
            return (status, lines[0], lines[1])
        }
        let right = #"{"port": 26, "rateLimit": {"burst": 3}, "color": 2}"#
        #expect(try outcome(right) == (0, [], []))
        #expect(
            try outcome(#"{"port": 0, "rateLimit": {"burst": 0, "brst": 1}, "color": 4, "colr": 1}"#) == (
                1,
                [
                    "port: expected 1...65535, found the integer 0",
                    "rateLimit.burst: expected 1...10, found the integer 0",
                    "color: expected 1...3, found the integer 4",
                ],
                [
                    "rateLimit.brst: unknown key; did you mean “rateLimit.burst”?",
                    "colr: unknown key; did you mean “color”?",
                ]
            ))
        #expect(
            try outcome(#"{"rateLimit": {"burst": 9}}"#).problems == [
                "-: rejected by a rule of the program: the limit is above the burst"
            ])
        let broken = try outcome(#"{"port": "#)
        #expect(broken.0 == 1 && broken.problems.count == 1)
        #expect(try self.storage(right).checkConfiguration(arguments: ["myd"], checkAll) == nil)
    }

    @Test func `unknown keys are warnings, below its path for a configuration that has one`() throws {
        let storage = try storage(#"{"prot": 1, "at": {"port": 5, "limt": 2}}"#)
        func warnings(at path: String) -> [String] {
            self.warnings(about: storage) { $0(Relay(), at: path) }.map { "\($0.key ?? ""): \($0.reason)" }
        }
        #expect(
            warnings(at: "") == ["prot: unknown key; did you mean “port”?", "at: unknown key"])
        #expect(warnings(at: "at") == ["at.limt: unknown key; did you mean “at.limit”?"])
        #expect(Live.checkConfiguration(Relay(), storage, arguments: ["relay", "--check-config"]) == 0)
        #expect(storage.checkConfiguration(keys, arguments: ["relay", "--check-config"]) == 0)
    }

    @Test func `unknown fields of elements are warnings`() throws {
        struct Upstream: PrefsSection, Sendable { var weight = 1 }
        struct Balancer: Codable, Sendable { var upstreams: [Upstream] = [] }
        let storage = try storage("{\"upstreams\": [\n{\"wieght\": 1}]}")
        let warnings = self.warnings(about: storage) { $0(Balancer()) }.map {
            "\($0)".replacing(folder.path, with: "")
        }
        #expect(
            warnings == [
                "site /relay.json:2:2: upstreams[0].wieght: unknown field; did you mean “weight”?"
            ])
    }

    @Test func `every problem has file, line and key, also in what the program rejects`() throws {
        let storage = try storage(#"{"port": 26}"#)
        storage.declare(PersistentKey("port", defaultValue: 25, in: 1...65535))
        try folder.write("{\"port\": 70000,\n \"limit\": 0}", to: "relay.json")
        storage.reload()
        let lines = storage.problems(of: keys).map { "\($0)".replacing(folder.path, with: "") }
        #expect(
            lines == [
                "site /relay.json:1:2: port: expected 1...65535, found the integer 70000",
                "site /relay.json:2:2: limit: expected 1...10, found the integer 0",
            ])
    }
}
