import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

extension PersistentKeyProtocol where Self == PersistentKey<String> {
    fileprivate static var token: Self {
        Self(
            "auth.token", defaultValue: "none",
            validate: { $0.count > 3 ? nil : "expected four characters or more" }, isSecret: true)
    }
}

@Suite("Secrets") struct SecretTests {
    /// Everything that a program is likely to print.
    private static let prints: [(String, @Sendable (LayeredPrefsStorage) throws -> String)] = [
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
        await stack.storage.settled()
        #expect(typed.elements.map(\.new.value) == ["psst!", "hush"])
        let received = "\(typed.elements) \(all.elements) \(stack.reported.elements)"
        #expect(!["hush", "psst!", "abc", "77777"].contains { received.contains($0) }, "\(received)")
        #expect(
            stack.reported.elements.filter { $0.severity == .error }.map(\.error.reason) == [
                "expected four characters or more, found a string", "expected a string, found an integer",
            ])
    }
}
