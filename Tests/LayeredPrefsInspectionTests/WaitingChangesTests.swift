import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefsInspection

@Suite struct WaitingChangesTests {
    private let fixture: InspectionFixture
    private let waiting: WaitingChanges
    private let observation: PrefsObservation

    init() throws {
        let waiting = WaitingChanges()
        self.waiting = waiting
        fixture = try InspectionFixture()
        observation = fixture.storage.observe {
            waiting.append(InspectionReply.Changes($0, DeclaredKeys([]), SecretPaths()))
        }
    }

    private func set(_ key: String, to length: Int) async throws {
        let value = PrefsValue.string(String(repeating: "x", count: length))
        try fixture.storage.setValue(value, forKey: key, in: .overrides)
        await fixture.storage.settled()
    }

    @Test func `changes wait in order, and once`() async throws {
        try await set("a", to: 1)
        try await set("b", to: 2)
        let sets = try #require(waiting.next(seconds: 0))
        #expect(sets.map(\.keys) == [["a"], ["b"]])
        #expect(sets.first?.details?.first?.new == "\"x\"")
        #expect(waiting.next(seconds: 0)?.isEmpty == true)
    }

    @Test func `the length of a value is bounded`() async throws {
        try await set("a", to: 10 * WaitingChanges.limit)
        let change = try #require(waiting.next(seconds: 0)?.first?.details?.first)
        #expect(change.key == "a" && change.old == nil && change.origin == "overrides")
        #expect((10_000..<20_000).contains(change.new?.utf8.count ?? 0))
    }

    @Test func `one set may be larger than what may wait behind it`() async throws {
        let many = (0..<200).map { ("k\($0)", PrefsValue.string(String(repeating: "x", count: 10_000))) }
        let value = PrefsValue.dictionary(Dictionary(uniqueKeysWithValues: many))
        try fixture.storage.setValue(value, forKey: "many", in: .overrides)
        await fixture.storage.settled()
        #expect(waiting.next(seconds: 0)?.first?.keys?.count == 200)
        try await set("a", to: 1)
        #expect(waiting.next(seconds: 0)?.first?.keys == ["a"])
    }

    @Test func `a client that reads too slowly loses everything`() async throws {
        for number in 0...WaitingChanges.limit / 10_000 { try await set("k\(number)", to: 10_000) }
        #expect(waiting.next(seconds: 0) == nil)
        try await set("a", to: 1)
        #expect(waiting.next(seconds: 0) == nil)
    }

    @Test func `a character of many code points is shortened`() {
        let text = "e" + String(repeating: "\u{301}", count: 1000)
        #expect(text.shortened(to: 100).unicodeScalars.count == 101)
        #expect("abc".shortened(to: 3) == "abc")
        #expect("äöü".shortened(to: 3) == "äöü")
        #expect("äöü".shortened(to: 2) == "äö…")
    }
}
