import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Limits: Codable, Sendable, Equatable {
    @Setting(in: 1...9) var x = 1
    @Setting(in: 1...9) var y = 1
}

private struct Relay: Codable, Sendable, Equatable {
    @Setting(in: 1...100) var a = 10
    @Setting(in: 1...100) var b = 50
    var s = Limits()
    @Setting(required: true) var token = ""
}

private struct Rejected: Error, CustomStringConvertible {
    let description: String
}

/// The rule and the `apply` handlers decide, even if something else is wrong. A wrong value in a layer that
/// had no earlier value counts as absent, and the rest is checked without it.
@Suite struct LiveVetoTests: StackSuite {
    let fixture: StackFixture
    private let storage: PrefsStack
    private let relay: Live<Relay>
    private let applied = Recorder<Int>()
    private let applying: PrefsObservation

    init() throws {
        fixture = try StackFixture("system.toml")
        try fixture.write("token = \"t\"\n")
        storage = fixture.stack(of: fixture.layer(), fixture.layer(.user, "user.toml"), .overrides)
        relay = try Live(Relay(), storage) { relay in
            if relay.a > relay.b { throw Rejected(description: "a must not exceed b") }
        }
        applying = relay.apply(\.s) { [applied] _, new in
            if new.x == 7 { throw Rejected(description: "no seven") }
            applied.record(new.x)
        }
    }

    private func edit(system: String = "", user: String) async throws {
        try folder.write("token = \"t\"\n\(system)", to: "system.toml")
        try folder.write(user, to: "user.toml")
        storage.reload()
        try await relay.applied()
        await storage.settled()
    }

    @Test(arguments: ["a = 200\n", "a = \"x\"\n", "s.y = 10\n"])
    func `a closure is asked although a value beside it is wrong`(wrong: String) async throws {
        try await edit(user: wrong + "s.x = 7\n")
        #expect(relay.current == expected() && storage.value(forKey: "s.x") == nil)
        #expect(
            reports.elements.contains(
                "error: s.x: rejected by the program: no seven; keeping the previous value"))
        #expect(!relay.isInconsistent && applied.elements.isEmpty)
        // The rest of a file that the program accepts becomes active.
        try await edit(user: wrong + "s.x = 8\n")
        #expect(relay.current.s == Limits(x: 8) && relay.current.a == 10)
        #expect(applied.elements == [8] && !relay.isInconsistent)
    }

    @Test func `a right value beside a part that the program rejects takes effect in the user's file`()
        async throws
    {
        try await edit(user: "a = 12\ns.x = 7\n")
        #expect(relay.current.a == 12 && relay.current.s == expected().s)
        #expect(storage.value(forKey: "a") == 12 && storage.value(forKey: "s.x") == nil)
        #expect(storage.notActive.flatMap(\.paths).map(\.name) == ["s.x"])
        try await edit(user: "a = 13\ns.x = 8\n")
        #expect(relay.current.a == 13 && relay.current.s.x == 8)
        #expect(storage.rejections.isEmpty && applied.elements == [8] && !relay.isInconsistent)
    }

    @Test func `the rule holds although a value beside it is wrong`() async throws {
        try await edit(user: "a = 55\ns.x = 12\n")
        #expect(relay.current == expected())
        #expect(storage.value(forKey: "a") == nil)
        let words = "rejected by a rule of the program: a must not exceed b"
        #expect(reports.elements.contains("error: -: \(words); keeping the previous value"))
        // The file already had the wrong value.
        try await edit(user: "a = 45\ns.x = 12\n")
        #expect(relay.current.a == 45)
        try await edit(system: "b = 40\n", user: "a = 45\ns.x = 12\n")
        #expect(relay.current.a == 45 && relay.current.b == 50)
        #expect(storage.value(forKey: "b") == nil)
    }

    @Test func `a wrong value in the user's file switches no check of the administrator's off`() async throws
    {
        try await edit(system: "s.x = 7\n", user: "a = 200\n")
        #expect(relay.current == expected() && storage.value(forKey: "s.x") == nil)
        try await edit(system: "a = 60\n", user: "s.y = 12\n")
        #expect(relay.current == expected() && storage.value(forKey: "a") == nil)
        // A wrong key stays rejected, and the rule on it is checked without it.
        try await edit(user: "a = 200\n")
        try await edit(system: "a = 60\n", user: "a = 200\n")
        #expect(relay.current == expected() && storage.resolution(forKey: "a").origin?.layer != "system")
        try await edit(system: "a = 40\n", user: "a = 200\n")
        #expect(relay.current.a == 40)
        #expect(!relay.isInconsistent && applied.elements.isEmpty)
    }

    @Test func `a wrong value is none for a field that is required`() async throws {
        try folder.write("", to: "system.toml")
        try folder.write("token = 5\n", to: "user.toml")
        storage.reload()
        #expect(relay.current == expected())
        #expect(
            reports.elements.contains {
                $0.hasPrefix("error: token: a value is required")
                    && $0.contains("; keeping the previous version")
            })
    }

    @Test func `a write is rejected although a value beside it is wrong`() async throws {
        try await edit(user: "s.y = 12\n")
        #expect(throws: PrefsError.self) { try storage.setValue(60, forKey: "a", in: .user) }
        #expect(throws: PrefsError.self) { try storage.setValue(7, forKey: "s.x", in: .user) }
        await #expect(throws: PrefsError.self) { try await relay.update { $0.s.x = 7 } }
        #expect(relay.current == expected())
        #expect(try await relay.update { $0.s.x = 6 } == .effective)
        #expect(relay.current.s == Limits(x: 6) && applied.elements == [6])
    }

    private func expected() -> Relay {
        var relay = Relay()
        relay.token = "t"
        return relay
    }
}
