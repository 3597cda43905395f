import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// The shortest histories that broke earlier versions of the rejection rules.
@Suite struct LayerDecisionTests {
    private let port = PersistentKey("port", defaultValue: 8, in: 1...99)
    private let nested = PersistentKey("http.port", defaultValue: 8, in: 1...99, .formerly("net.port"))
    private let verbose = PersistentKey("verbose", defaultValue: 0, in: 0...1)
    private let minimum = PersistentKey("min", defaultValue: 1)
    private let maximum = PersistentKey("max", defaultValue: 10)
    private let first = PersistentKey("a", defaultValue: 1)
    private let second = PersistentKey("b", defaultValue: 1)

    /// A stack with three layers of the scope `.source` and one layer of the scope `.key`.
    private struct Trial {
        typealias Contents = [String: [String: PrefsValue]]

        static let names = ["system", "site", "top", "user"]
        private let storages = names.map { _ in ReadOnDemand() }
        let stack: PrefsStack
        let reports = Recorder<String>()

        /// - Parameter contents: The contents of the layers at the start.
        init(_ contents: Contents) {
            for (name, storage) in zip(Self.names, storages) { storage.contents = contents[name] ?? [:] }
            let layers = zip(Self.names, storages).map { name, storage in
                PrefsLayer(
                    PrefsLayer.Name(name), storage, rejectionScope: name == "user" ? .key : .source)
            }
            let diagnostics = PrefsDiagnosticHandler { [reports] in reports.record("\($0)") }
            stack = PrefsStack(diagnostics: diagnostics) { layers }
        }

        /// Changes the contents of some layers at once.
        func edit(_ contents: Contents) {
            for (name, storage) in zip(Self.names, storages) {
                if let new = contents[name] { storage.contents = new }
            }
            stack.reload()
        }

        func contents(of layer: String) -> [String: PrefsValue] {
            Self.names.firstIndex(of: layer).map { storages[$0].contents } ?? [:]
        }

        /// The layers with rejected contents, in their order.
        var rejected: [String] {
            let layers = Set(stack.status.filter { $0.rejection != nil }.compactMap(\.layer))
            return Self.names.filter(layers.contains)
        }
    }

    private func trial(_ contents: Trial.Contents) -> Trial {
        let trial = Trial(contents)
        for key in [port, nested, verbose, minimum, maximum, first, second] { trial.stack.declare(key) }
        trial.stack.constrain(minimum, maximum) { $0 <= $1 ? nil : "expected the minimum below the maximum" }
        trial.stack.constrain(first, second) { $0 == $1 ? nil : "expected equal values" }
        return trial
    }

    @Test func `two layers that are only right together wait for a third one`() {
        let trial = trial(["system": ["a": 1], "site": ["b": 1], "top": ["port": 9]])
        trial.edit(["top": ["port": "x"]])
        trial.edit(["system": ["a": 2], "site": ["b": 2]])
        #expect(trial.stack.get(first) == 1 && trial.stack.get(second) == 1 && trial.stack.get(port) == 9)
        #expect(trial.rejected == ["system", "site", "top"])
        trial.edit(["top": ["port": 10]])
        #expect(trial.stack.get(first) == 2 && trial.stack.get(second) == 2 && trial.stack.get(port) == 10)
        #expect(trial.rejected.isEmpty)
    }

    @Test func `a layer that needs the edit of a higher one is added after it`() {
        let trial = trial(["system": ["min": 1], "site": ["max": 10], "top": ["port": 9]])
        trial.edit(["top": ["port": "x"]])
        trial.edit(["system": ["min": 20], "site": ["max": 30]])
        #expect(trial.stack.get(minimum) == 20 && trial.stack.get(maximum) == 30)
        #expect(trial.rejected == ["top"])
        let reports = trial.reports.elements
        trial.stack.reload()
        #expect(trial.rejected == ["top"] && trial.reports.elements == reports)
    }

    @Test func `a wrong value that another wrong one follows holds nothing back in the user's file`() {
        let trial = trial(["user": ["port": "x"]])
        trial.edit(["user": ["port": "y", "verbose": 1]])
        #expect(trial.stack.get(port) == 8 && trial.stack.get(verbose) == 1)
    }

    @Test(
        arguments: [["min": 5, "max": "x", "verbose": 1], ["min": 5, "max": 4, "verbose": 1]]
            as [[String: PrefsValue]])
    func `a rule keeps only its keys in the user's file`(_ new: [String: PrefsValue]) {
        let trial = trial(["user": ["min": 2, "max": 4]])
        trial.edit(["user": new])
        #expect(trial.stack.get(minimum) == 2 && trial.stack.get(maximum) == 4)
        #expect(trial.stack.get(verbose) == 1 && trial.rejected == ["user"])
        trial.edit(["user": ["min": 5, "max": 6, "verbose": 1]])
        #expect(trial.stack.get(minimum) == 5 && trial.stack.get(maximum) == 6 && trial.rejected.isEmpty)
    }

    @Test func `a typo in the user's file moves no key to a lower layer`() {
        let trial = trial(["system": ["port": 5], "user": ["port": 81]])
        trial.edit(["user": ["port": "x", "verbose": 1]])
        #expect(trial.stack.get(port) == 81 && trial.stack.get(verbose) == 1)
        trial.edit(["user": ["port": "x", "verbose": 0]])
        #expect(trial.stack.get(port) == 81 && trial.stack.get(verbose) == 0)
        trial.edit(["user": ["verbose": 0]])
        #expect(trial.stack.get(port) == 5 && trial.rejected.isEmpty)
    }

    @Test func `what is kept under a name that another value blocks is read in spite of that`() {
        let trial = trial(["user": ["http": ["port": 81, "unknown": 5]]])
        trial.edit(["user": ["http": "off"]])
        #expect(trial.stack.get(nested) == 81)
    }

    @Test func `a value that is kept under a former name stays there`() {
        let trial = trial(["user": ["net": ["port": 81]]])
        trial.edit(["user": ["http": ["port": "x", "host": "h"]]])
        #expect(trial.stack.get(nested) == 81)
        #expect(trial.stack.value(forKey: "http") == ["host": "h"])
        #expect(trial.stack.value(forKey: "net") == ["port": 81])
    }

    @Test func `the same wrong value of another layer is a new problem`() {
        let trial = trial(["system": ["port": "x"], "site": ["port": 81]])
        trial.edit(["site": ["port": "x"]])
        #expect(trial.stack.get(port) == 81 && trial.rejected == ["site"])
    }

    @Test func `a value of a rejected layer is uncovered like any other`() {
        let trial = trial([
            "system": ["verbose": 9], "site": ["verbose": 1, "port": "x"], "user": ["port": 81],
        ])
        trial.edit(["site": [:], "user": [:]])
        #expect(trial.stack.get(verbose) == 1 && trial.stack.get(port) == 81)
        #expect(trial.rejected == ["site", "user"])
        #expect(
            trial.reports.elements.filter { $0.contains("port") && $0.hasSuffix("previous value") }.count == 1
        )
        trial.edit(["system": [:]])
        #expect(trial.stack.get(verbose) == 0 && trial.stack.get(port) == 8 && trial.rejected.isEmpty)
    }

    private struct Server: Codable, Sendable, Equatable {
        struct Limits: Codable, Sendable, Equatable { var open = 1 }

        var limits = Limits()
    }

    @Test func `a field of a rejected layer is uncovered, and reported, like any other`() {
        let key = PersistentKey("server", defaultValue: Server())
        let trial = trial([
            "system": ["verbose": 9], "site": ["verbose": 1, "server": ["limits": ["open": "x"]]],
        ])
        trial.stack.declare(key)
        trial.edit(["user": ["server": ["limits": ["open": 7]]]])
        trial.edit(["site": [:]])
        #expect(trial.rejected == ["site"])
        trial.edit(["user": [:]])
        #expect(trial.stack.get(key).limits.open == 7 && trial.rejected == ["site", "user"])
        #expect(trial.reports.elements.last?.contains("server.limits.open") == true)
        #expect(trial.reports.elements.last?.hasSuffix("keeping the previous value") == true)
    }

    @Test func `a rule that is broken since the start may not get worse, and concerns no other key`() {
        let trial = trial(["system": ["max": 5], "site": ["min": 7]])
        trial.edit(["system": ["max": 0, "verbose": 1]])
        #expect(trial.stack.get(maximum) == 5 && trial.stack.get(verbose) == 0)
        trial.edit(["system": ["max": 5, "verbose": 1]])
        #expect(trial.stack.get(verbose) == 1 && trial.rejected.isEmpty)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `when all is mended, everything is active, in whatever order it was mended`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let trial = trial(["system": ["port": 5], "user": ["min": 2, "max": 4]])
        let values: [PrefsValue] = [0, 1, 2, 3, 5, 7, "x"]
        for _ in 0..<12 {
            let name = Trial.names.randomElement(using: &random) ?? ""
            var contents = trial.contents(of: name)
            for _ in 0..<2 {
                let key = ["port", "verbose", "min", "max", "a", "b"].randomElement(using: &random) ?? ""
                contents[key] = Bool.random(using: &random) ? nil : values.randomElement(using: &random)
            }
            trial.edit([name: contents])
            // Another commit changes and reports nothing.
            let (generation, rejected) = (trial.stack.snapshot.generation, trial.rejected)
            let reports = trial.reports.elements
            trial.stack.reload()
            #expect(trial.stack.snapshot.generation == generation && trial.rejected == rejected)
            #expect(trial.reports.elements == reports)
            #expect(trial.stack.get(minimum) <= trial.stack.get(maximum))
            #expect(trial.stack.get(first) == trial.stack.get(second))
        }
        for name in Trial.names.shuffled(using: &random) {
            trial.edit([name: name == "user" ? ["min": 3, "port": 6] : ["max": 9]])
        }
        #expect(trial.rejected.isEmpty && trial.stack.rejections.isEmpty)
        #expect(trial.stack.get(minimum) == 3 && trial.stack.get(maximum) == 9 && trial.stack.get(port) == 6)
    }
}

/// A storage that announces nothing. A stack reads it only on a reload.
private final class ReadOnDemand: PrefsStorage {
    private let values = Lock<[String: PrefsValue]>([:])

    var contents: [String: PrefsValue] {
        get { values.withLock { $0 } }
        set { values.withLock { $0 = newValue } }
    }

    var snapshot: PrefsSnapshot { PrefsSnapshot(contents) }
}
