import LayeredPrefs
import LayeredPrefsTesting
import PrefsSystem
import Synchronization
import TestSupport
import Testing

/// The storage of the guide “Writing a storage”, which uses only the public interface.
private final class FleetPrefsStorage: PrefsStorage {
    private let contents = Mutex(PrefsSnapshot(candidates: [:]))
    private let changes = PrefsChangeSource(announcesEveryChange: true)

    var snapshot: PrefsSnapshot { contents.withLock { $0 } }

    var changeSource: PrefsChangeSource? { changes }

    /// Stores the settings of a message from the server; `nil` means that a setting was deleted.
    func receive(_ settings: [String: String?], revision: Int) {
        let origin = PrefsOrigin(revision: String(revision))
        let candidates = settings.mapValues { text in
            text.map { PrefsCandidate(.string($0), isText: true, origin: origin) }
        }
        contents.withLock { $0 = $0.replacing(candidates) }
        changes.advance()
    }
}

@Suite struct WritingAStorageTests {
    private let fleet = FleetPrefsStorage()
    private let port = PersistentKey("http.port", defaultValue: 80, in: 1...65535)
    private let name = PersistentKey("name", defaultValue: "none")

    private var stack: PrefsStack { PrefsStack { PrefsLayer("fleet", fleet) } }

    @Test(arguments: PrefsStorageContract.checks)
    func `the guide's storage satisfies the contract`(_ check: PrefsStorageContract.Check) async throws {
        try await check.run { content in
            let storage = FleetPrefsStorage()
            let texts = content.mapValues { value -> String? in
                if case .string(let text) = value { text } else { nil }
            }
            storage.receive(texts, revision: 1)
            return PrefsStorageSubject(
                storage,
                edit: { content in
                    var texts = storage.snapshot.dictionary.mapValues { _ in String?.none }
                    for (key, value) in content { if case .string(let text) = value { texts[key] = text } }
                    storage.receive(texts, revision: 2)
                })
        }
    }

    @Test func `the origin names the layer and the revision`() async {
        fleet.receive(["http.port": "8080"], revision: 42)
        let stack = stack
        #expect(stack.get(port) == 8080)
        #expect(stack.resolution(for: port).origin?.description == "fleet revision 42")
        #expect(stack.explanation(for: port).description.contains("revision 42"))
        fleet.receive(["http.port": "many"], revision: 43)
        await stack.settled()
        #expect(stack.get(port) == 8080)
        #expect(
            stack.status[0].rejection?.problems.map(\.description) == [
                #"fleet revision 43: http.port: expected an integer, found the string "many""#
            ])
    }

    @Test func `only the keys of a message change`() async throws {
        fleet.receive(["http.port": "1", "name": "a"], revision: 1)
        let stack = stack
        let changes = Recorder.changeSets(in: stack)
        fleet.receive(["http.port": "2"], revision: 2)
        let received = try await changes.wait { !$0.isEmpty }
        #expect(received.first?.changes.map(\.key) == ["http.port"])
        #expect(stack.snapshot.get(port, name) == (2, "a"))
        fleet.receive(["name": nil], revision: 3)
        // Changes that closely follow each other are committed together, a little later.
        try await changes.wait(within: .seconds(60)) { $0.last?.changes.map(\.key) == ["name"] }
        #expect(stack.get(name) == "none")
    }

    @Test func `a candidate has its own file, line, kind and rejection`() {
        let origin = PrefsOrigin(file: "/etc/x", position: .line(3, column: 7))
        let error = PrefsError(.untrusted, reason: "not signed")
        let snapshot = PrefsSnapshot(candidates: [
            "http": PrefsCandidate(["port": 81, "host": "h"], origin: origin),
            "http.port": PrefsCandidate("82", isText: true),
            "name": PrefsCandidate("a", origin: origin, rejection: error),
        ])
        #expect(snapshot.get(port) == 82)
        #expect(snapshot.get(PersistentKey("http.host", defaultValue: "")) == "h")
        let host = snapshot.candidates(forKey: "http.host").first
        #expect(host?.origin.file == "/etc/x" && host?.origin.position == .line(3, column: 7))
        #expect(host?.isText == false)
        #expect(snapshot.get(name) == "none")
        #expect(snapshot.resolution(for: name).rejected.map(\.code) == [.untrusted])
        #expect(
            snapshot.resolution(for: name).rejected.first?.origin
                == PrefsOrigin(
                    file: "/etc/x", position: .line(3, column: 7), spelling: "name"))
    }

    @Test(arguments: [
        PrefsOrigin(), PrefsOrigin(file: "/x.db"), PrefsOrigin(file: "/x.db", position: .line(3, column: 7)),
        PrefsOrigin(file: "/x.db", revision: "42"),
    ])
    func `at the start, a rule over several keys rejects the values of a storage together`(
        _ origin: PrefsOrigin
    ) {
        let low = PersistentKey("low", defaultValue: 1)
        let high = PersistentKey("high", defaultValue: 5)
        let rows = PrefsLayer(
            "fleet",
            FixedPrefsStorage(
                PrefsSnapshot(candidates: [
                    "low": PrefsCandidate(900, origin: origin), "high": PrefsCandidate(3, origin: origin),
                ])))
        let system = PrefsLayer("system", DictionaryPrefsStorage(values: ["high": 200]))
        let user = PrefsLayer("user", DictionaryPrefsStorage(values: ["high": 100]))
        for (layers, expected, layer) in [
            ([rows], 3, "fleet"), ([system, user, rows], 3, "fleet"), ([system, rows, user], 100, "user"),
            ([rows, system, user], 100, "user"),
        ] {
            let (diagnostics, reported, subscription) = Recorder.recording()
            let stack = PrefsStack(diagnostics: diagnostics) { for layer in layers { layer } }
            stack.constrain(low, high) { $0 <= $1 ? nil : "expected low ≤ high" }
            #expect(stack.get(low) == 900 && stack.get(high) == expected)
            let reports = reported.elements.map(\.error)
            #expect(reports.map(\.key) == ["low, high"] && reports.map(\.reason) == ["expected low ≤ high"])
            #expect(reports.map(\.origin?.layer) == [layer])
            #expect(reports[0].origin?.file == (layer == "fleet" ? origin.file : nil))
            subscription.cancel()
        }
    }

    @Test func `a rejected candidate is absent from the dictionary around it`() {
        let error = PrefsError(.untrusted, reason: "not signed")
        let snapshot = PrefsSnapshot(candidates: [
            "http.port": PrefsCandidate(82, rejection: error), "http.host": PrefsCandidate("h"),
        ])
        #expect(snapshot["http"] == ["host": "h"])
        #expect(snapshot.get(port) == 80)
    }

    @Test func `contents that are a dictionary are replaced too`() {
        let snapshot = PrefsSnapshot(["name": "a", "http": ["port": 81]])
        let next = snapshot.replacing(["name": PrefsCandidate("b", isText: true)])
        #expect(next.get(name) == "b" && next.get(port) == 81)
        #expect(PrefsStack {}.snapshot.replacing(["name": PrefsCandidate("c")]).get(name) == "c")
    }

    @Test func `names are literal if the snapshot says so`() {
        let snapshot = PrefsSnapshot(
            candidates: ["http.port": PrefsCandidate(81), "http": PrefsCandidate(["port": 1])],
            keysAreLiteral: true)
        #expect(snapshot.get(port) == 81)
        #expect(snapshot.replacing(["http.port": nil]).get(port) == 80)
    }

    @Test func `a storage locks keys, and unlocks them, against the layers above it`() async throws {
        let locking = LockingPrefsStorage()
        let stack = PrefsStack {
            PrefsLayer("fleet", locking)
            PrefsLayer(.overrides, .dictionary)
        }
        try stack.set(port, to: 9, in: .overrides)
        #expect(stack.get(port) == 9)
        let ports = Recorder.changes(of: port, in: stack)
        locking.lock(["http": PrefsOrigin(revision: "7")])
        await stack.settled()
        #expect(stack.get(port) == 81)
        #expect(stack.resolution(for: port).lock?.origin.description == "fleet revision 7")
        #expect { try stack.set(port, to: 10, in: .overrides) } throws: {
            ($0 as? PrefsError)?.code == .locked
        }
        locking.lock([:])
        // Changes that closely follow each other are committed together, a little later.
        try await ports.wait(within: .seconds(60)) { $0.map(\.new.value) == [81, 9] }
        #expect(stack.get(port) == 9)
    }

    @Test(arguments: [false, true])
    func `a transaction of a stack stores all values of a storage together`(isErased: Bool) throws {
        let locking = LockingPrefsStorage()
        let stack = PrefsStack {
            PrefsLayer("fleet", isErased ? ErasedStorage(locking) : locking)
        }
        try stack.transaction { transaction in
            transaction.set(port, to: 1, in: "fleet")
            transaction.set(name, to: "b", in: "fleet")
            transaction.set(port, to: 2, in: "fleet")
        }
        #expect(locking.written.withLock { $0 } == [["http.port": 2, "name": "b"]])
    }

    @Test func `a write that the storage does not show throws, and names the layer`() throws {
        let rows = RowPrefsStorage(.replacesNames)
        let stack = PrefsStack { PrefsLayer("rows", rows) }
        let server = PersistentKey("server", defaultValue: Server())
        try stack.set(server, to: Server(port: 2, host: "x"), in: "rows")
        #expect(stack.get(server) == Server(port: 2, host: "x"))
        let error = #expect(throws: PrefsError.self) { try stack.remove(server, in: "rows") }
        #expect(error?.code == .unconfirmed && error?.key == "server" && error?.origin?.layer == "rows")
        #expect(error?.reason.hasPrefix("stored, but") == true)

        let idle = PrefsStack { PrefsLayer("rows", RowPrefsStorage(.storesNothing)) }
        #expect { try idle.setValue(1, forKey: "a", in: "rows") } throws: {
            ($0 as? PrefsError)?.code == .unconfirmed
        }
        #expect { try idle.transaction { $0.setValue(1, forKey: "a", in: "rows") } } throws: {
            ($0 as? PrefsError)?.code == .unconfirmed
        }
        // There was nothing to remove.
        try idle.setValue(nil, forKey: "a", in: "rows")
    }

    @Test func `a storage that replaces what is at and below a key holds what a stack writes`() throws {
        let rows = RowPrefsStorage(.replacesPaths)
        let stack = PrefsStack { PrefsLayer("rows", rows) }
        let server = PersistentKey("server", defaultValue: Server())
        try stack.set(server, to: Server(port: 2, host: "x"), in: "rows")
        try stack.remove(server, in: "rows")
        #expect(stack.get(server) == Server())
        try stack.setValue(["port": 3, "host": "y"], forKey: "server", in: "rows")
        try stack.setValue(4, forKey: "server.port", in: "rows")
        #expect(stack.get(server) == Server(port: 4, host: "y"))
        #expect(rows.snapshot.keys == ["server"])
        try stack.transaction { transaction in
            transaction.setValue(5, forKey: "server.port", in: "rows")
            transaction.setValue(nil, forKey: "server.host", in: "rows")
            transaction.setValue(true, forKey: "other.part", in: "rows")
        }
        #expect(stack.get(server) == Server(port: 5) && rows.snapshot["other"] == ["part": true])
    }

    @Test(arguments: PrefsStorageContract.checks)
    func `a storage that replaces paths satisfies the contract`(
        _ check: PrefsStorageContract.Check
    ) async throws {
        try await check.run { content in
            let storage = RowPrefsStorage(.replacesPaths)
            try storage.setValues(content)
            return PrefsStorageSubject(storage)
        }
    }

    @Test func `if one of several values cannot be stored, those before it are restored`() throws {
        let storage = RejectingPrefsStorage(["a": 1, "b": ["x": 1]])
        let error = #expect(throws: PrefsError.self) {
            try storage.setValues(["a": 2, "b": nil, "c": 3, "d": "rejected", "e": 4])
        }
        #expect(error?.reason == "rejected")
        #expect(storage.snapshot.dictionary == ["a": 1, "b": ["x": 1]])
        storage.keeps.withLock { $0 = true }
        let second = #expect(throws: PrefsError.self) {
            try storage.setValues(["a": 2, "c": 3, "d": "rejected"])
        }
        #expect(second?.reason == "rejected; these keys were stored nevertheless: a, c")
    }

    @Test func `a required layer that is out of reach may start with earlier contents`() throws {
        let locking = LockingPrefsStorage()
        let problem = PrefsError(.unreadable, reason: "connection refused")
        func start() throws {
            _ = try PrefsStack(required: ["fleet"]) { PrefsLayer("fleet", locking) }
        }
        locking.state.withLock { $0 = PrefsSourceStatus(problem: problem) }
        #expect(throws: problem) { try start() }
        locking.state.withLock {
            $0 = PrefsSourceStatus(problem: problem, lastGood: .now, detail: "not connected")
        }
        try start()
        #expect(
            locking.status.map(\.description) == ["read 0 s ago, not connected, problem: connection refused"])
    }
}

/// A storage that locks keys, and records the values that are written to it.
private final class LockingPrefsStorage: PrefsStorage {
    private let contents = Lock(PrefsSnapshot(candidates: ["http.port": PrefsCandidate(81)]))
    private let changes = PrefsChangeSource(announcesEveryChange: true)
    let written = Lock<[[String: PrefsValue?]]>([])
    let state = Lock(PrefsSourceStatus())

    var snapshot: PrefsSnapshot { contents.withLock { $0 } }
    var changeSource: PrefsChangeSource? { changes }
    var isWritable: Bool { true }
    var status: [PrefsSourceStatus] { [state.withLock { $0 }] }

    func setValues(_ values: [String: PrefsValue?]) throws {
        written.withLock { $0.append(values) }
        contents.withLock { $0 = $0.replacing(values.mapValues { $0.map { PrefsCandidate($0) } }) }
    }

    func lock(_ keys: [String: PrefsOrigin]) {
        contents.withLock { $0 = $0.locking(keys) }
        changes.advance()
    }
}

/// A storage that never changes.
private final class FixedPrefsStorage: PrefsStorage {
    let snapshot: PrefsSnapshot

    init(_ snapshot: PrefsSnapshot) { self.snapshot = snapshot }
}

private struct Server: Codable, Sendable, Equatable {
    var port = 1
    var host = "h"
}

/// A storage of rows, one for each key.
private final class RowPrefsStorage: PrefsStorage {
    enum Way { case replacesPaths, replacesNames, storesNothing }

    private let way: Way
    private let contents = Lock(PrefsSnapshot(candidates: [:]))
    private let changes = PrefsChangeSource(announcesEveryChange: true)

    init(_ way: Way) { self.way = way }

    var snapshot: PrefsSnapshot { contents.withLock { $0 } }
    var changeSource: PrefsChangeSource? { changes }
    var isWritable: Bool { true }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try setValues([key: value])
        return .effective
    }

    func setValues(_ values: [String: PrefsValue?]) throws {
        let didChange = contents.withLock { contents in
            let before = contents.dictionary
            switch way {
            case .replacesPaths: contents = contents.replacing(contents.changes(writing: values))
            case .replacesNames:
                contents = contents.replacing(values.mapValues { $0.map { PrefsCandidate($0) } })
            case .storesNothing: break
            }
            return contents.dictionary != before
        }
        if didChange { changes.advance() }
    }
}

/// A storage that stores one value at a time, and rejects some values.
private final class RejectingPrefsStorage: PrefsStorage {
    private let contents: Lock<[String: PrefsValue]>
    /// True if the storage rejects everything after its first rejection.
    let keeps = Lock(false)
    private let hasRejected = Lock(false)

    init(_ contents: [String: PrefsValue]) { self.contents = Lock(contents) }

    var snapshot: PrefsSnapshot { PrefsSnapshot(contents.withLock { $0 }) }
    var isWritable: Bool { true }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        let isBroken = keeps.withLock { $0 } && hasRejected.withLock { $0 }
        if isBroken || value == "rejected" {
            if keeps.withLock({ $0 }) { hasRejected.withLock { $0 = true } }
            throw PrefsError(.notEncodable, reason: "rejected")
        }
        contents.withLock { $0[key] = value }
        return .effective
    }
}
