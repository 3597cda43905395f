import Foundation
import Glibc
import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

/// Writers of one file, each with its own storage as if it were a process, beside a writer that knows only
/// the file-lock protocol. Each writer finds the value that it wrote last.
///
/// `LAYEREDPREFS_SECONDS` sets how long they write; the default is 3.
@Suite struct LostWriteTests {
    private static let seconds =
        ProcessInfo.processInfo.environment["LAYEREDPREFS_SECONDS"].flatMap(Double.init) ?? 3

    @Test(arguments: [#"{"mail.relay": {"third": 0}}"#, #"{"mail": {"relay": {"third": 0}}}"#])
    func `no write is lost`(start: String) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(start, to: "u.json")
        let rounds = await withTaskGroup(of: (String, Int).self) { group in
            for way in LostWriteWay.all {
                group.addTask {
                    await (
                        way.name, OwnThread.run { way.run(on: path, in: folder, for: .seconds(Self.seconds)) }
                    )
                }
            }
            group.addTask {
                await ("third", OwnThread.run { ThirdParty(path: path).run(for: .seconds(Self.seconds)) })
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let content = FilePrefsStorage(path: path).snapshot
        for (name, last) in rounds {
            #expect(last > 0, "\(name) wrote nothing")
            #expect(content.field(name) == .integer(Int128(last)), "\(name)")
        }
    }
}

/// Runs code that blocks its thread on a thread of its own.
private enum OwnThread {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }
}

/// A public way to write, which stores increasing numbers in its own field.
private struct LostWriteWay: Sendable {
    let name: String
    let write: @Sendable (PrefsStack, Int, TemporaryFolder) throws -> Void

    static let all = [
        LostWriteWay(name: "set") { storage, round, _ in
            try storage.set(.setRelay, to: SetRelay(set: round))
        },
        LostWriteWay(name: "transaction") { storage, round, _ in
            try storage.transaction {
                $0.set(.transactionRelay, to: TransactionRelay(transaction: round))
                $0.setValue(.integer(Int128(round)), forKey: "beside.transaction")
            }
        },
        LostWriteWay(name: "property") { storage, round, _ in
            LostWritePrefs(storage: storage).relay.property = round
        },
        LostWriteWay(name: "deferred") { storage, round, _ in
            storage.setLater(.deferredRelay, to: DeferredRelay(deferred: round))
            let flushed = Latch()
            Task {
                await storage.flush()
                flushed.open()
            }
            flushed.wait()
        },
        LostWriteWay(name: "outer") { storage, round, _ in
            let outer = PrefsStack { PrefsLayer("inner", storage) }
            try outer.set(.outerRelay, to: OuterRelay(outer: round), in: "inner")
        },
        LostWriteWay(name: "update") { storage, round, _ in
            let file = storage.layer(.user)?.storage as? FilePrefsStorage
            try file?.update { content in
                let isLiteral = content["mail.relay"] != nil
                var relay = content["mail.relay"] ?? content["mail"]?.dictionary?["relay"] ?? [:]
                guard case .dictionary(var fields) = relay else { return }
                fields["update"] = .integer(Int128(round))
                relay = .dictionary(fields)
                if isLiteral { content["mail.relay"] = relay } else { content["mail"] = ["relay": relay] }
            }
        },
        LostWriteWay(name: "migration") { storage, round, _ in
            try storage.setValue(.integer(Int128(round)), forKey: "former")
            storage.declare(.present)
            storage.migrate()
            try storage.setValue(.integer(Int128(round)), forKey: "mail.relay.migration")
        },
        LostWriteWay(name: "tool") { storage, round, folder in
            try tool(["set", "mail.relay.tool", "\(round)", "--type", "integer"], folder)
        },
        LostWriteWay(name: "import") { storage, round, folder in
            try folder.write(#"{"mail": {"relay": {"import": \#(round)}}}"#, to: "import.json")
            try tool(["import", folder["import.json"]], folder)
        },
    ]

    private static func tool(_ arguments: [String], _ folder: TemporaryFolder) throws {
        let layer = ["--layer", "user=\(folder["u.json"])"]
        let outcome = try Tool(path: Sandbox.tool).run(
            Array(arguments.prefix(1)) + layer + arguments.dropFirst())
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// Writes at least once, until the time has passed. Returns the number of the last write.
    func run(on path: String, in folder: TemporaryFolder, for time: Duration) -> Int {
        let end = ContinuousClock.now + time
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler {
            if $0.severity == .error { Issue.record("\($0)") }
        }
        options.writing.lockTimeout = .seconds(120)
        let file = FilePrefsStorage(path: path, options: options)
        let storage = PrefsStack { PrefsLayer(.user, file) }
        var last = 0
        repeat {
            last += 1
            #expect(throws: Never.self) { try write(storage, last, folder) }
            storage.reload()
            let value = storage.snapshot.field(name)
            guard value == .integer(Int128(last)) else {
                Issue.record("\(name): \(value as Any), expected \(last)")
                break
            }
        } while .now < end
        return last
    }
}

extension PrefsSnapshot {
    /// Returns a field of `mail.relay`: an entry of the dictionary with that name, or else a key of its own.
    fileprivate func field(_ name: String) -> PrefsValue? {
        self["mail.relay"]?.dictionary?[name] ?? self["mail.relay.\(name)"]
    }
}

private struct SetRelay: Codable, Sendable { var set = -1 }
private struct TransactionRelay: Codable, Sendable { var transaction = -1 }
private struct PropertyRelay: Codable, Sendable { var property = -1 }
private struct DeferredRelay: Codable, Sendable { var deferred = -1 }
private struct OuterRelay: Codable, Sendable { var outer = -1 }

extension PersistentKey where Value == SetRelay {
    fileprivate static var setRelay: Self { Self("mail.relay", defaultValue: SetRelay()) }
}
extension PersistentKey where Value == TransactionRelay {
    fileprivate static var transactionRelay: Self { Self("mail.relay", defaultValue: TransactionRelay()) }
}
extension PersistentKey where Value == DeferredRelay {
    fileprivate static var deferredRelay: Self { Self("mail.relay", defaultValue: DeferredRelay()) }
}
extension PersistentKey where Value == OuterRelay {
    fileprivate static var outerRelay: Self { Self("mail.relay", defaultValue: OuterRelay()) }
}
extension PersistentKey where Value == Int {
    fileprivate static var present: Self { Self("present", defaultValue: 0, .formerly("former")) }
}

@PrefsSchema private final class LostWritePrefs {
    @Storage var storage: PrefsStack
    @Pref(key: "mail.relay") var relay = PropertyRelay()

    init(storage: PrefsStack) { self.storage = storage }
}

/// A program that knows only the protocol: lock `.NAME.lock`, read, write beside, sync, rename.
private struct ThirdParty {
    let path: String

    private var lockPath: String {
        let file = URL(filePath: path)
        return file.deletingLastPathComponent().path + "/.\(file.lastPathComponent).lock"
    }

    /// Adds at least once, until the time has passed. Returns the last number added.
    func run(for time: Duration) -> Int {
        let end = ContinuousClock.now + time
        var last = 0
        repeat {
            last += 1
            #expect(throws: Never.self) { try locked { try add(last) } }
            // If this loop took the lock again at once, the other writers would hardly ever get it.
            Thread.sleep(forTimeInterval: 0.02)
        } while .now < end
        return last
    }

    private func locked(_ body: () throws -> Void) throws {
        let descriptor = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
        try body()
    }

    private func add(_ number: Int) throws {
        let data = try Data(contentsOf: URL(filePath: path))
        var content = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let literal = content["mail.relay"]
        var relay = try #require((literal ?? (content["mail"] as? [String: Any])?["relay"]) as? [String: Any])
        #expect(relay["third"] as? Int == number - 1, "another writer lost a write of the third party")
        relay["third"] = number
        if literal != nil { content["mail.relay"] = relay } else { content["mail"] = ["relay": relay] }
        if number.isMultiple(of: 2) {
            content["present"] = number
        } else if number > 1 {
            #expect(content["present"] as? Int == number - 1, "a migration lost a write of the third party")
            content["present"] = nil
        }
        let file = unsafe open(path + ".third", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        let bytes = try Array(JSONSerialization.data(withJSONObject: content))
        try #require(unsafe Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0)
        try #require(unsafe rename(path + ".third", path) == 0)
    }
}
