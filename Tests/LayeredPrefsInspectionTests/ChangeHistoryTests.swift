import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefsInspection

@Suite struct ChangeHistoryTests {
    private let fixture: InspectionFixture

    init() throws { fixture = try InspectionFixture() }

    private func history(
        _ answers: InspectionAnswers, of key: String? = nil
    ) async throws -> [InspectionReply.Changes] {
        await fixture.storage.settled()
        return try #require(answers.reply(to: InspectionRequest(.history, key: key)).history)
    }

    @Test func `changes are recorded in order with cause and origin`() async throws {
        let answers = fixture.answers()
        try fixture.storage.setValue(9090, forKey: "http.port", in: .overrides)
        try fixture.storage.setValue("x", forKey: "other", in: .overrides)
        try fixture.storage.setValue(nil, forKey: "http.port", in: .overrides)
        let sets = try await history(answers)
        let changes = sets.flatMap { $0.details ?? [] }
        #expect(changes.map(\.key) == ["http.port", "other", "http.port"])
        #expect(changes.map(\.old) == ["8080", nil, "9090"])
        #expect(changes.map(\.new) == ["9090", "\"x\"", "8080"])
        #expect(changes.map(\.origin) == ["overrides", "overrides", nil])
        #expect(sets.map(\.cause) == ["write", "write", "write"])
        #expect(sets.map(\.generation) == sets.map(\.generation).sorted())
        #expect(sets.allSatisfy { ($0.time ?? 0) > 0 })
        #expect(try await history(answers, of: "http").count == 2)
        #expect(try await history(answers, of: "htt").isEmpty)
    }

    @Test func `a rejected value is no change of what the program reads`() async throws {
        let answers = fixture.answers()
        try fixture.storage.layer(.overrides)?.storage.setValue("many", forKey: "http.port")
        #expect(try await history(answers).isEmpty)
        let rejected = try #require(answers.reply(to: InspectionRequest(.rejected)).rejectedKeys)
        #expect(rejected.map(\.key) == ["http.port"])
        #expect(rejected.first?.reasons.first?.contains("expected an integer") == true)
    }

    @Test func `changes of one commit are one set`() async throws {
        let answers = fixture.answers()
        try fixture.storage.transaction { transaction in
            transaction.setValue(9090, forKey: "http.port", in: .overrides)
            transaction.setValue(8, forKey: "workers", in: .overrides)
            transaction.setValue(1, forKey: "a", in: .overrides)
        }
        let sets = try await history(answers)
        #expect(sets.count == 1)
        #expect(sets.first?.details?.map(\.key) == ["a", "http.port", "workers"])
        #expect(sets.first?.details?.map(\.needsRestart) == [false, false, true])
    }

    @Test func `sets, changes and values are bounded`() async throws {
        let answers = fixture.answers(historyLength: 3)
        for port in 1...5 {
            try fixture.storage.setValue(.integer(Int128(port)), forKey: "a", in: .overrides)
        }
        #expect(try await history(answers).map { $0.details?.first?.new } == ["3", "4", "5"])
        let text = String(repeating: "x", count: 100_000)
        try fixture.storage.setValue(.string(text), forKey: "a", in: .overrides)
        #expect(try await history(answers).last?.details?.first?.new?.utf8.count ?? 0 < 300)
        let many = Dictionary(uniqueKeysWithValues: (0..<500).map { ("k\($0)", PrefsValue.integer(1)) })
        try fixture.storage.setValue(.dictionary(many), forKey: "many", in: .overrides)
        let last = try #require(try await history(answers).last)
        #expect(last.details?.count == 100)
        #expect(last.omitted == 400)
    }

    @Test func `a secret is not recorded, nor shown if it is declared later`() async throws {
        let answers = fixture.answers()
        try fixture.storage.setValue("hunter2", forKey: "auth.token", in: .overrides)
        try fixture.storage.setValue("hunter3", forKey: "late", in: .overrides)
        fixture.storage.declare(PersistentKey("late", defaultValue: "", .secret))
        let changes = try await history(answers).flatMap { $0.details ?? [] }
        #expect(changes.map(\.key) == ["auth.token", "late"])
        #expect(changes.allSatisfy { $0.isSecret && $0.old == nil && $0.new == nil })
    }

    @Test func `a history of length 0 records nothing`() async throws {
        let answers = fixture.answers(historyLength: 0)
        try fixture.storage.setValue(9090, forKey: "http.port", in: .overrides)
        #expect(try await history(answers).isEmpty)
    }

    @Test func `nothing is recorded after the end`() async throws {
        let answers = fixture.answers()
        answers.stop()
        try fixture.storage.setValue(9090, forKey: "http.port", in: .overrides)
        #expect(try await history(answers).isEmpty)
    }
}
