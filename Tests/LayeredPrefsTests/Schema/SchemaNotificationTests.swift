import LayeredPrefs
import Observation
import TestSupport
import Testing

/// The properties whose observers a change notifies.
@Suite struct SchemaNotificationTests {
    @Test(arguments: [
        Case("a key", ["number"]) { try $0.setValue(5, forKey: "number") },
        Case("a key without a property", []) { try $0.setValue(5, forKey: "numbers") },
        Case("an equal value", []) { try $0.setValue(1, forKey: "number") },
        Case("a removed key", ["number"]) { try $0.setValue(nil, forKey: "number") },
        Case("a value of the wrong type", ["number"]) { try $0.setValue("five", forKey: "number") },
        Case("another number with an equal value", []) { try $0.setValue(0.0, forKey: "share") },
        Case("a former name", ["renamed"]) { try $0.setValue(5, forKey: "old") },
        Case("several at once", ["number", "share"]) { $0.update { $0 = ["number": 2, "share": 2] } },
    ])
    func `a change of a dictionary storage notifies the affected properties`(_ row: Case) throws {
        let storage = DictionaryPrefsStorage(values: ["number": 1, "share": 0])
        try check(row, over: storage, changing: storage)
    }

    @Test(arguments: [
        Case("a dotted key is not a path", ["port"]) { try $0.setValue(5, forKey: "http.port") },
        Case("a dictionary is not a path", ["http"]) { try $0.setValue(["port": 5], forKey: "http") },
    ])
    func `a dictionary storage treats dotted keys as literal`(_ row: Case) throws {
        let storage = DictionaryPrefsStorage()
        try check(row, over: storage, changing: storage)
    }

    @Test(arguments: [
        Case("a dotted key", ["port", "http"]) { try $0.setValue(5, forKey: "http.port") },
        Case("a dictionary", ["port", "http"]) { try $0.setValue(["port": 5], forKey: "http") },
        Case("another key of a dictionary", ["http"]) { try $0.setValue(["host": 5], forKey: "http") },
        Case("a shadowing value", ["number"]) { try $0.setValue(5, forKey: "number") },
        Case("a value equal to the lower layer's", []) { try $0.setValue(1, forKey: "number") },
        Case("a rejected value", []) { try $0.setValue("five", forKey: "number") },
        Case("a non-dictionary on the path", []) { try $0.setValue(5, forKey: "http") },
    ])
    func `a change of the upper of two layers notifies the affected properties`(_ row: Case) throws {
        let (lower, upper) = (DictionaryPrefsStorage(values: ["number": 1]), DictionaryPrefsStorage())
        let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler()) {
            PrefsLayer(.defaults, lower)
            PrefsLayer(.overrides, upper)
        }
        try check(row, over: stack, changing: upper)
    }

    @Test func `a change of a shadowed value notifies no property`() throws {
        let (lower, upper) = (DictionaryPrefsStorage(), DictionaryPrefsStorage(values: ["number": 1]))
        let stack = PrefsStack {
            PrefsLayer(.defaults, lower)
            PrefsLayer(.overrides, upper)
        }
        let row = Case("the lower layer", []) { try $0.setValue(5, forKey: "number") }
        try check(row, over: stack, changing: lower)
    }

    private func check(
        _ row: Case, over storage: some PrefsStorage, changing changed: DictionaryPrefsStorage
    ) throws {
        let prefs = NotifiedPrefs(storage)
        let received = NotifiedPrefs.all.map { _ in Tally() }
        for (property, tally) in zip(NotifiedPrefs.all, received) {
            withObservationTracking {
                property.read(prefs)
            } onChange: {
                tally.add()
            }
        }
        try row.change(changed)
        let names = zip(NotifiedPrefs.all, received).filter { $1.count > 0 }.map(\.0.name)
        #expect(names == row.received)
    }
}

struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let received: [String]
    let change: @Sendable (DictionaryPrefsStorage) throws -> Void

    init(
        _ name: String,
        _ received: [String],
        _ change: @escaping @Sendable (DictionaryPrefsStorage) throws -> Void
    ) {
        testDescription = name
        self.received = received
        self.change = change
    }
}

@PrefsSchema final class NotifiedPrefs {
    @Storage var storage: ErasedStorage

    @Pref var number: Int = 0
    @Pref var share: Double = 0
    @Pref(key: "http.port") var port: Int = 80
    @Pref var http: [String: Int] = [:]
    @Pref(formerly: "old") var renamed: Int = 0

    init(_ storage: some PrefsStorage) { self.storage = ErasedStorage(storage) }

    struct Readable: Sendable {
        let name: String
        let read: @Sendable (NotifiedPrefs) -> Void
    }

    static let all = [
        Readable(name: "number") { _ = $0.number },
        Readable(name: "share") { _ = $0.share },
        Readable(name: "port") { _ = $0.port },
        Readable(name: "http") { _ = $0.http },
        Readable(name: "renamed") { _ = $0.renamed },
    ]
}
