import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == String {
    fileprivate static var token: Self {
        Self(
            "auth.token", defaultValue: "none",
            .validate { $0.count > 3 ? nil : "expected four characters or more" }, .secret)
    }
}

@Suite("Secrets") struct SecretTests {
    /// Everything that a program is likely to print.
    private static let prints: [(String, @Sendable (PrefsStack) throws -> String)] = [
        ("explain", { "\($0.explanation(for: .token))" }),
        ("explain by name", { "\($0.explanation(forKey: "auth.token"))" }),
        ("explain of what holds it", { "\($0.explanation(forKey: "auth"))" }),
        ("resolution", { "\($0.resolution(for: .token))" }),
        ("resolution by name", { "\($0.resolution(forKey: "auth.token"))" }),
        ("several resolutions", { "\([$0.resolution(for: .token)])" }),
        ("snapshot", { "\($0.snapshot)" }),
        ("storage", { "\($0)" }),
        ("status", { "\($0.status)" }),
        ("export", { "\($0.exportedContents())" }),
    ]

    @Test(arguments: prints.map(\.0)) func `a secret is not printed`(by print: String) throws {
        let stack = try Stack(
            system: ["auth": ["token": "hush", "user": "ada"]], user: ["auth.token": "psst!"])
        stack.storage.declare(.token)
        let text = try #require(Self.prints.first { $0.0 == print }).1(stack.storage)
        #expect(!text.contains("hush") && !text.contains("psst!"), "\(text)")
    }

    @Test func `exports contain everything but the secrets`() throws {
        let stack = try Stack(system: ["auth": ["token": "hush", "user": "ada"], "b": 1])
        stack.storage.declare(.token)
        #expect(stack.storage.exportedContents() == ["auth": ["user": "ada"], "b": 1])
        #expect(stack.storage.get(.token) == "hush")
    }

    @Test func `changes and diagnostics do not show a secret`() async throws {
        let stack = try Stack(system: ["auth": ["token": "hush"]])
        let typed = Recorder.changes(of: .token, in: stack.storage)
        let all = Recorder.changeSets(in: stack.storage)
        stack.user.update { $0["auth.token"] = "psst!" }
        stack.user.update { $0["auth.token"] = "abc" }
        stack.user.update { $0["auth.token"] = 77_777 }
        await stack.storage.reloadAndSettle()
        #expect(typed.elements.map(\.new.value) == ["psst!"])
        let received = "\(typed.elements) \(all.elements) \(stack.reported.elements)"
        #expect(!["hush", "psst!", "abc", "77777"].contains { received.contains($0) }, "\(received)")
        #expect(
            stack.reported.elements.filter { $0.severity == .error }.map(\.error.reason) == [
                "expected four characters or more, found a string; keeping the previous value",
                "expected a string, found an integer; keeping the previous value",
            ])
    }

    /// Paths at, below and above secrets, under present and former names.
    private static let names = [
        "auth", "auth.token", "auth.oldToken", "legacy", "legacy.token", "auth.creds", "auth.creds.user",
        "auth.oldCreds", "auth.oldCreds.user", "auth.oldCreds.dotted",
    ]

    private static let secret = "hunter2-s3cr3t"

    private func sealed() throws -> Stack {
        let creds: PrefsValue = ["user": .string(Self.secret)]
        let content: [String: PrefsValue] = [
            "auth": [
                "token": .string(Self.secret), "oldToken": .string(Self.secret), "creds": creds,
                "oldCreds": creds,
            ],
            "legacy": ["token": .string(Self.secret)], "auth.oldCreds.dotted": .string(Self.secret),
        ]
        let stack = try Stack(system: content, user: content)
        stack.storage.declare(.sealedToken)
        stack.storage.declare(.sealedCreds)
        return stack
    }

    /// Returns every text that Swift can print of a value.
    private func printed(_ value: some Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    @Test(arguments: names) func `no description, reflection or dump of a lookup shows a secret`(
        name: String
    ) throws {
        let stack = try sealed()
        let snapshot = stack.storage.snapshot
        // The type makes the values wrong, so that an error describes them.
        let number = PersistentKey<Int>(name, defaultValue: 0)
        let plain = PersistentKey<[String: PrefsValue]>(name, defaultValue: [:])
        let prints: [(String, String)] = [
            ("explanation", printed(stack.storage.explanation(forKey: name))),
            ("explanation of a snapshot", printed(snapshot.explanation(forKey: name))),
            ("rows", printed(snapshot.explanation(forKey: name).rows)),
            ("typed explanation", printed(snapshot.explanation(for: number))),
            ("typed explanation of a dictionary", printed(snapshot.explanation(for: plain))),
            ("resolution", printed(stack.storage.resolution(forKey: name))),
            ("resolution of a snapshot", printed(snapshot.resolution(forKey: name))),
            ("typed resolution", printed(snapshot.resolution(for: plain))),
            ("rejected", printed(snapshot.resolution(for: number).rejected)),
            ("shadowed", printed(snapshot.resolution(forKey: name).shadowed)),
            ("candidates", printed(snapshot.candidates(forKey: name))),
        ]
        for (what, text) in prints { #expect(!text.contains(Self.secret), "\(what): \(text)") }
    }

    @Test func `no description, reflection or dump of a storage or a key shows a secret`() throws {
        let stack = try sealed()
        let texts = [
            printed(stack.storage), printed(stack.storage.snapshot), printed(stack.storage.layers),
            printed(stack.user), printed(stack.user.snapshot), printed(stack.storage.status),
            printed(stack.storage.exportedContents()),
        ]
        for text in texts { #expect(!text.contains(Self.secret), "\(text)") }
    }

    @Test(arguments: names) func `no change or diagnostic shows a secret`(name: String) async throws {
        let stack = try sealed()
        let all = Recorder.changeSets(in: stack.storage)
        let below = Recorder<PrefsChangeSet>()
        let observation = stack.storage.observe(under: name) { below.record($0) }
        stack.storage.declare(PersistentKey<Int>(name, defaultValue: 0))
        stack.user.update { $0 = ["auth": "x", "legacy": "x"] }
        stack.system.update { $0 = ["auth": "x", "legacy": "x"] }
        await stack.storage.reloadAndSettle()
        stack.user.update {
            $0 = [
                "auth": ["token": 7_777_777, "oldCreds": .string(Self.secret)],
                "legacy": .string(Self.secret),
            ]
        }
        await stack.storage.reloadAndSettle()
        observation.cancel()
        let text = printed(all.elements) + printed(below.elements) + printed(stack.reported.elements)
        #expect(!text.contains(Self.secret), "\(text)")
        // A rejected write changes nothing, and is reported.
        #expect(!all.elements.isEmpty || !stack.reported.elements.isEmpty)
    }

    @Test func `an error of the program's own coding or validation does not show a secret`() throws {
        let stack = try sealed()
        let key = PersistentKey<String>(
            "auth.token", defaultValue: "", .validate { "“\($0)” is too weak" }, .secret)
        stack.storage.declare(key)
        let error = #expect(throws: PrefsError.self) { try stack.storage.set(key, to: Self.secret) }
        let text =
            printed(stack.reported.elements) + printed(error as Any)
            + printed(stack.storage.resolution(for: key).rejected)
        #expect(!text.contains(Self.secret), "\(text)")
        #expect(text.contains("“••••” is too weak"))
    }

    @Test func `what a rule over several keys says of a secret is masked wherever it is rejected`()
        async throws
    {
        let folder = try TemporaryFolder()
        let (old, new) = ("first-hush", "ada-" + Self.secret)
        let path = try folder.write(#"{"user": "ada", "token": "\#(old)"}"#, to: "site.json")
        let (diagnostics, reported, subscription) = Recorder<PrefsDiagnostic>.recording()
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = diagnostics
        let scheduler = VirtualScheduler()
        let storage = PrefsStack(
            coalescing: .standard, diagnostics: diagnostics, scheduler: scheduler,
            [PrefsLayer("site", FilePrefsStorage(path: path, options: options))])
        let user = PersistentKey<String>("user", defaultValue: "none")
        let token = PersistentKey<String>("token", defaultValue: "", .secret)
        storage.constrain(user, token) {
            $1.contains($0) ? "“\($1)” contains the user, unlike “\(old)”" : nil
        }
        let masked = "“••••” contains the user, unlike “••••”"
        let error = #expect(throws: PrefsError.self) { try storage.set(token, to: new) }
        #expect(error?.reason == masked)
        try folder.write(#"{"user": "ada", "token": "\#(new)"}"#, to: "site.json")
        storage.reload()
        scheduler.advance(to: .seconds(86400))
        try await reported.wait { $0.count == 2 }
        #expect(storage.get(token) == old)
        #expect(reported.elements.allSatisfy { $0.error.reason.contains(masked) })
        let texts = [
            printed(error as Any), printed(reported.elements), printed(storage.rejections),
            printed(storage.status), printed(storage.explanation(for: token)),
            printed(storage.explanation(for: user)),
        ]
        for text in texts { #expect(!text.contains(new) && !text.contains(old), "\(text)") }
        withExtendedLifetime(subscription) {}
    }

    @Test func `what a rule over several keys says of a secret is masked with the other keys, too`() throws {
        let stack = try Stack(system: ["user": "ada", "token": .string("ada-" + Self.secret)])
        let user = PersistentKey<String>("user", defaultValue: "none")
        let token = PersistentKey<String>("token", defaultValue: "", .secret)
        stack.storage.constrain(user, token) { $1.contains($0) ? "“\($1)” contains the user" : nil }
        #expect(stack.storage.get(user) == "ada")
        let texts = [
            printed(stack.reported.elements), printed(stack.storage.resolution(for: user)),
            printed(stack.storage.explanation(for: user)), printed(stack.storage.explanation(for: token)),
        ]
        for text in texts { #expect(!text.contains(Self.secret), "\(text)") }
        #expect(texts[0].contains("“••••” contains the user"))
    }

    @Test func `text that controls a terminal is escaped wherever it is described`() async throws {
        let hostile = HostileText.text
        let stack = try Stack(
            system: [hostile: .string(hostile)], user: [hostile: [hostile: .string(hostile)]])
        let key = PersistentKey<String>(hostile, defaultValue: hostile)
        let changes = Recorder.changeSets(in: stack.storage)
        let typed = Recorder.changes(of: key, in: stack.storage)
        stack.storage.declare(key)
        stack.storage.declare(PersistentKey<Int>(hostile, defaultValue: 0))
        stack.user.update { $0[hostile] = .string("other " + hostile) }
        await stack.storage.reloadAndSettle()
        let snapshot = stack.storage.snapshot
        let error = PrefsError(
            .invalid, key: hostile,
            origin: PrefsOrigin(layer: hostile, file: hostile, spelling: hostile), reason: hostile)
        let texts = [
            "\(snapshot.explanation(forKey: hostile))", "\(snapshot.explanation(for: key))",
            "\(snapshot.resolution(forKey: hostile))", "\(snapshot.resolution(for: key))",
            "\(changes.elements)", "\(typed.elements)", "\(stack.reported.elements)", "\(error)",
            "\(PrefsDiagnostic(.error, error))", "\(PrefsValue.dictionary([hostile: .string(hostile)]))",
            "\(PrefsSourceStatus(layer: hostile, file: hostile, problem: error, engineReason: hostile))",
            String(reflecting: error), error.localizedDescription,
        ]
        for text in texts { #expect(HostileText.violations(in: text) == [], "\(text)") }
        #expect(texts.dropFirst(2).allSatisfy { !$0.contains("\n") })
    }
}

extension PersistentKey where Value == String {
    fileprivate static var sealedToken: Self {
        Self(
            "auth.token", defaultValue: "none", .formerly("auth.oldToken", "legacy.token"), .secret
        )
    }
}

extension PersistentKey where Value == [String: String] {
    fileprivate static var sealedCreds: Self {
        Self("auth.creds", defaultValue: [:], .formerly("auth.oldCreds"), .secret)
    }
}
