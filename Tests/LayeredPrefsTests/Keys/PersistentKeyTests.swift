import FoundationEssentials
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var listenPort: Self { Self("http.port", defaultValue: 8080) }

    fileprivate static func limit(of name: String) -> Self { Self("limit.\(name)", defaultValue: 10) }
}

extension PersistentKey where Value == String? {
    fileprivate static var owner: Self { Self("owner", defaultValue: nil) }
}

@Suite struct PersistentKeyTests {
    let storage = DictionaryPrefsStorage()

    @Test func `keys are written as static members`() throws {
        #expect(storage.get(.listenPort) == 8080)
        try storage.set(.listenPort, to: 80)
        #expect(storage.get(.listenPort) == 80)
        #expect(storage.snapshot["http.port"] == 80)
        try storage.remove(.listenPort)
        #expect(storage.get(.listenPort) == 8080)
    }

    @Test func `identifiers may be created at run time`() throws {
        try storage.set(.limit(of: "disk"), to: 3)
        #expect(storage.get(.limit(of: "disk")) == 3)
        #expect(storage.get(.limit(of: "memory")) == 10)
    }

    @Test func `setting nil removes the value`() throws {
        try storage.set(.owner, to: "ada")
        #expect(storage.get(.owner) == "ada")
        try storage.set(.owner, to: nil)
        #expect(storage.snapshot["owner"] == nil)
    }

    @Test func `a type with a stored form needs no conformance`() throws {
        let key = PersistentKey("since", defaultValue: Date.distantPast)
        let optional = PersistentKey<Date?>("until")
        let now = Date(timeIntervalSinceReferenceDate: 5)
        try storage.set(key, to: now)
        try storage.set(optional, to: now)
        #expect(storage.get(key) == now)
        #expect(storage.get(optional) == now)
        #expect(storage.snapshot["since"] == .date(now))
    }

    @Test func `a value rejected by validation is not written`() throws {
        let key = PersistentKey(
            "port", defaultValue: 1, .validate { $0 > 0 ? nil : "expected a positive number" })
        let reason = "expected a positive number, found the integer -1"
        #expect(throws: PrefsError(.invalid, key: "port", reason: reason)) {
            try storage.set(key, to: -1)
        }
        #expect(storage.snapshot["port"] == nil)
    }

    @Test func `keys are equal if their names and defaults are equal`() {
        #expect(PersistentKey("a", defaultValue: 1) == PersistentKey("a", defaultValue: 1))
        #expect(PersistentKey("a", defaultValue: 1) != PersistentKey("a", defaultValue: 2))
        #expect(Set([PersistentKey("a", defaultValue: 1), PersistentKey("a", defaultValue: 1)]).count == 1)
    }
}
