import LayeredPrefs
import LayeredPrefsTesting
import Observation
import TestSupport
import Testing

@PrefsGroup final class StressGroup {
    @Pref var label: String = "start"
}

@PrefsSchema final class FileStressPrefs {
    @Storage var storage: PrefsStack

    @Pref(in: 0...) var number: Int = 0
    @Pref var list: [String] = []
    @Pref(merge: .deep) var table: [String: Int] = [:]
    @Pref var own: Int?
    @PrefGroup var group: StressGroup

    init(_ storage: PrefsStack) { self.storage = storage }
}

/// A schema on the standard stack while its files are edited and broken, and keys are overridden. Run it
/// under ThreadSanitizer, too.
@Suite struct SchemaFileStressTests {
    private let sandbox: PrefsSandbox
    private let prefs: FileStressPrefs
    private let rounds = 150
    private let subscription: PrefsObservation

    init() throws {
        sandbox = try PrefsSandbox()
        var options = FilePrefsStorage.Options()
        options.coalescing = .immediate
        (options.diagnostics, _, subscription) = Recorder.recording()
        prefs = FileStressPrefs(sandbox.standard(options: options))
    }

    @Test func `readers see only complete values and never an older one`() async throws {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await edit(sandbox.vendor, vendorContent) }
            group.addTask { await edit(sandbox.user, userContent) }
            group.addTask { await write() }
            group.addTask { await comeAndGo() }
            for _ in 0..<3 { group.addTask { await read() } }
            for await isRight in group { #expect(isRight) }
        }
        await prefs.storage.reloadAndSettle()
        #expect(prefs.number == rounds)
        #expect(prefs.list == userContent(rounds)["list"]?.strings)
        #expect(prefs.table == ["vendor": rounds, "user": rounds])
        #expect(prefs.group.label == "a label that does not fit into sixteen bytes: \(rounds)")
        #expect(prefs.own == rounds)
    }

    @Test func `every edit notifies observers`() async throws {
        for round in 1...rounds {
            let received = Recorder<Int>()
            withObservationTracking {
                _ = (prefs.number, prefs.list)
            } onChange: {
                received.record(round)
            }
            await withTaskGroup { group in
                group.addTask { _ = try? sandbox.write(vendorContent(round), to: sandbox.vendor) }
                group.addTask { _ = try? sandbox.write(userContent(round), to: sandbox.user) }
            }
            await prefs.storage.reloadAndSettle()
            #expect(prefs.number == round)
            #expect(prefs.list.first == "\(round)")
            // The committing thread notifies Observation after the new state is readable.
            _ = try await received.wait(within: .seconds(60)) { !$0.isEmpty }
        }
    }
}

/// The work of the concurrent tasks.
extension SchemaFileStressTests {
    private func vendorContent(_ round: Int) -> [String: PrefsValue] {
        [
            "number": .integer(Int128(round)), "list": ["never", "seen"],
            "table": ["vendor": .integer(Int128(round)), "user": -1],
        ]
    }

    private func userContent(_ round: Int) -> [String: PrefsValue] {
        [
            "list": [.string("\(round)"), .string("another rather long text, numbered \(round)")],
            "table": ["user": .integer(Int128(round))],
            "group": ["label": .string("a label that does not fit into sixteen bytes: \(round)")],
        ]
    }

    /// Writes valid contents in every round, broken contents in between, and valid contents at the end.
    private func edit(_ path: String, _ content: (Int) -> [String: PrefsValue]) async -> Bool {
        for round in 1...rounds {
            do {
                if round.isMultiple(of: 10) { try sandbox.write("<plist><dict><key>", to: path) }
                try sandbox.write(content(round), to: path)
            } catch {
                return false
            }
            if round.isMultiple(of: 3) { prefs.storage.reload() }
            await Task.yield()
        }
        return true
    }

    private func write() async -> Bool {
        for round in 1...rounds {
            _ = try? prefs.storage.setValue(.integer(Int128(round)), forKey: "own", in: .overrides)
            await Task.yield()
        }
        return true
    }

    private func comeAndGo() async -> Bool {
        for _ in 0..<rounds {
            let other = FileStressPrefs(prefs.storage)
            guard other.number <= rounds, isWhole(other.list) else { return false }
            await Task.yield()
        }
        return true
    }

    private func read() async -> Bool {
        var (number, own) = (0, 0)
        for _ in 0..<rounds * 40 {
            let (newNumber, newOwn) = (prefs.number, prefs.own ?? 0)
            guard newNumber >= number, newOwn >= own else { return false }
            (number, own) = (newNumber, newOwn)
            guard isWhole(prefs.list), isWhole(prefs.table), isWhole(prefs.group.label) else { return false }
            await Task.yield()
        }
        return true
    }

    private func isWhole(_ list: [String]) -> Bool {
        list.isEmpty || list == ["never", "seen"]
            || list == [list[0], "another rather long text, numbered \(list[0])"]
    }

    private func isWhole(_ table: [String: Int]) -> Bool {
        table.allSatisfy { ["vendor", "user"].contains($0.key) && (-1...rounds).contains($0.value) }
    }

    private func isWhole(_ label: String) -> Bool {
        label == "start" || label.hasPrefix("a label that does not fit into sixteen bytes: ")
    }
}

extension PrefsValue {
    fileprivate var strings: [String]? {
        guard case .array(let elements) = self else { return nil }
        return elements.map { if case .string(let text) = $0 { text } else { "" } }
    }
}
