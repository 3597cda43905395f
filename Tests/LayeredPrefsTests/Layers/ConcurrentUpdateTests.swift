import Foundation
import LayeredPrefs
import TestSupport
import Testing

/// Two processes that change the same values of one file at the same time.
///
/// `LAYEREDPREFS_UPDATES=1000` sets the number of changes that each process makes; the default is 25.
@Suite struct ConcurrentUpdateTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["LAYEREDPREFS_UPDATES"].flatMap(Int.init) ?? 25

    @Test(arguments: ConcurrentUpdate.allCases)
    fileprivate func `processes that change one value lose no change`(_ update: ConcurrentUpdate) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("# Kept.\nother = 1\n", to: "u.toml")
        let children = try (0..<2).map { process in
            try ChildProcess(
                "ConcurrentUpdateJobs", [update.rawValue, path, "\(process)", "\(Self.rounds)"])
        }
        for child in children {
            let (isSuccess, output) = child.wait()
            #expect(isSuccess, "\(output)")
        }
        let content = FilePrefsStorage(path: path).snapshot
        #expect(update.count(in: content) == 2 * Self.rounds)
        #expect(content["other"] == 1)
        #expect(String(decoding: try folder.read("u.toml"), as: UTF8.self).hasPrefix("# Kept.\n"))
    }
}

/// The jobs of the child processes; skipped in the main process.
@Suite(.enabled(if: ChildProcess.job != nil, "only for child processes"))
struct ConcurrentUpdateJobs {
    @Test func `perform the job`() async throws {
        let words = ChildProcess.job ?? []
        try #require(words.count == 4)
        let update = try #require(ConcurrentUpdate(rawValue: words[0]))
        var options = FilePrefsStorage.Options()
        options.writing.lockTimeout = .seconds(120)
        let file = FilePrefsStorage(path: words[1], options: options)
        let storage = PrefsStack { PrefsLayer(.user, file) }
        try await update.perform(on: storage, by: words[2], rounds: Int(words[3]) ?? 0)
    }
}

/// A way to change a value that depends on the previous value.
private enum ConcurrentUpdate: String, CaseIterable, Sendable {
    case live = "Live.update"
    case number = "a number"
    case array = "an array"
    case entry = "a dictionary's entry"
    case field = "a struct's field"
    case property = "a schema's property"

    private struct Counter: Codable, Sendable { var count = 0 }

    /// Makes some changes.
    ///
    /// - Parameter process: The name of the process.
    func perform(on storage: PrefsStack, by process: String, rounds: Int) async throws {
        switch self {
        case .live:
            let live = try Live(Counter(), storage)
            for _ in 0..<rounds { try await live.update { $0.count += 1 } }
        case .number:
            let key = PersistentKey("count", defaultValue: 0)
            for _ in 0..<rounds { try storage.update(key) { $0 += 1 } }
        case .array:
            let key = PersistentKey("list", defaultValue: [String]())
            for round in 0..<rounds { try storage.update(key) { $0.append("\(process) \(round)") } }
        case .entry:
            let key = PersistentKey("table", defaultValue: [String: Bool](), .merge(.deep))
            for round in 0..<rounds { try storage.update(key) { $0["\(process) \(round)"] = true } }
        case .field:
            let key = PersistentKey("counter", defaultValue: Counter())
            for _ in 0..<rounds { try storage.update(key) { $0.count += 1 } }
        case .property:
            let prefs = ConcurrentPrefs(storage)
            for _ in 0..<rounds { try prefs.update(\.count) { $0 += 1 } }
        }
    }

    /// Returns the number of changes that the contents show.
    func count(in content: PrefsSnapshot) -> Int? {
        switch (self, content[place]) {
        case (.array, .array(let list)): Set(list).count
        case (.entry, .dictionary(let table)): table.count
        case (_, .integer(let count)): Int(count)
        default: nil
        }
    }

    private var place: String {
        switch self {
        case .live, .number, .property: "count"
        case .array: "list"
        case .entry: "table"
        case .field: "counter.count"
        }
    }
}

@PrefsSchema private final class ConcurrentPrefs {
    @Storage var storage: PrefsStack
    @Pref var count = 0
}
