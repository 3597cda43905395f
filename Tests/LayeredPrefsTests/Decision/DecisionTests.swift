import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

/// The shortest histories that broke earlier texts of the rules.
@Suite struct DecisionTests {
    private let port = PersistentKey("port", defaultValue: 8, in: 1...99)
    private let nested = PersistentKey("http.port", defaultValue: 8, in: 1...99, .formerly("net.port"))
    private let verbose = PersistentKey("verbose", defaultValue: 0, in: 0...1)
    private let minimum = PersistentKey("min", defaultValue: 1)
    private let maximum = PersistentKey("max", defaultValue: 10)
    private let first = PersistentKey("a", defaultValue: 1)
    private let second = PersistentKey("b", defaultValue: 1)

    private var keys: [PersistentKey<Int>] { [port, nested, verbose, minimum, maximum, first, second] }

    private var validation: Decision.Validation {
        Decision.Validation { [keys] layers in
            keys.flatMap { Self.wrongValues(of: $0, in: layers) }
        } rules: { [minimum, maximum, first, second] layers in
            let snapshot = layers.snapshot
            func problem(_ keys: [PersistentKey<Int>], _ isRight: Bool) -> [Problem] {
                isRight
                    ? []
                    : [
                        Problem(
                            of: keys.map(\.name),
                            values: keys.map { .integer(Int128(snapshot.get($0))) })
                    ]
            }
            return problem([minimum, maximum], snapshot.get(minimum) <= snapshot.get(maximum))
                + problem([first, second], snapshot.get(first) == snapshot.get(second))
        }
    }

    private static func wrongValues(of key: PersistentKey<Int>, in layers: Layers) -> [WrongValue] {
        let snapshot = layers.snapshot
        let effective = layers.all.firstIndex { $0.name == snapshot.resolution(for: key).origin?.layer }
        return snapshot.rejections(of: key).map { rejected in
            let index = layers.all.firstIndex { $0.name == rejected.layer } ?? 0
            return WrongValue(
                key: key.name, rejected: rejected, isShadowed: effective.map { $0 > index } ?? false)
        }
    }

    /// A stack that decides by the rules alone.
    private struct Trial {
        let validation: Decision.Validation
        var newest: Layers
        var active: Layers
        var rejected: [Int: [Problem]] = [:]
        var offer: Layers?

        init(_ validation: Decision.Validation, _ contents: [String: [String: PrefsValue]]) {
            self.validation = validation
            newest = Layers(
                all: ["system", "site", "top", "user"].map { name in
                    Layer(name: name, scope: name == "user" ? .key : .source, contents: contents[name] ?? [:])
                })
            // At the start every revision is active.
            active = newest
        }

        mutating func edit(_ contents: [String: [String: PrefsValue]]) {
            for index in newest.all.indices {
                if let new = contents[newest.all[index].name] { newest.all[index].contents = new }
            }
            commit()
        }

        mutating func commit() {
            let decision = Decision(on: newest, over: active, validation)
            (active, rejected, offer) = (decision.active, decision.rejected, decision.offer)
        }

        func get(_ key: PersistentKey<Int>) -> Int { active.snapshot.get(key) }
    }

    @Test func `two layers that are only right together wait for a third one`() {
        var trial = Trial(validation, ["system": ["a": 1], "site": ["b": 1], "top": ["port": 9]])
        trial.edit(["top": ["port": "x"]])
        trial.edit(["system": ["a": 2], "site": ["b": 2]])
        #expect(trial.get(first) == 1 && trial.get(second) == 1 && trial.get(port) == 9)
        #expect(trial.rejected.keys.sorted() == [0, 1, 2])
        trial.edit(["top": ["port": 10]])
        #expect(trial.active == trial.newest && trial.rejected.isEmpty)
    }

    @Test func `a layer that needs the edit of a higher one is added after it`() {
        var trial = Trial(validation, ["system": ["min": 1], "site": ["max": 10], "top": ["port": 9]])
        trial.edit(["top": ["port": "x"]])
        trial.edit(["system": ["min": 20], "site": ["max": 30]])
        #expect(trial.get(minimum) == 20 && trial.get(maximum) == 30)
        #expect(trial.rejected.keys.sorted() == [2])
        let before = trial.active
        trial.commit()
        #expect(trial.active == before && trial.rejected.keys.sorted() == [2])
    }

    @Test func `a wrong value that another one shadows does not count, until that is taken away`() {
        var trial = Trial(validation, ["system": ["port": 80], "site": ["port": 90]])
        trial.edit(["system": ["port": "x", "verbose": 1]])
        #expect(trial.active == trial.newest)
        trial.edit(["site": [:]])
        #expect(trial.get(port) == 90 && trial.rejected.keys.sorted() == [1])
        trial.edit(["system": ["port": 81]])
        #expect(trial.active == trial.newest && trial.get(port) == 81)
    }

    @Test func `a wrong value that another wrong one follows holds nothing back in the user's file`() {
        var trial = Trial(validation, ["user": ["port": "x"]])
        trial.edit(["user": ["port": "y", "verbose": 1]])
        #expect(trial.get(port) == 8 && trial.get(verbose) == 1)
    }

    @Test(
        arguments: [["min": 5, "max": "x", "verbose": 1], ["min": 5, "max": 4, "verbose": 1]]
            as [[String: PrefsValue]])
    func `a rule keeps only its keys in the user's file`(_ new: [String: PrefsValue]) {
        var trial = Trial(validation, ["user": ["min": 2, "max": 4]])
        trial.edit(["user": new])
        #expect(trial.get(minimum) == 2 && trial.get(maximum) == 4 && trial.get(verbose) == 1)
        trial.edit(["user": ["min": 5, "max": 6, "verbose": 1]])
        #expect(trial.active == trial.newest && trial.rejected.isEmpty)
    }

    @Test func `a typo in the user's file moves no key to a lower layer`() {
        var trial = Trial(validation, ["system": ["port": 5], "user": ["port": 81]])
        trial.edit(["user": ["port": "x", "verbose": 1]])
        #expect(trial.get(port) == 81 && trial.get(verbose) == 1)
        trial.edit(["user": ["port": "x", "verbose": 0]])
        #expect(trial.get(port) == 81 && trial.get(verbose) == 0)
        trial.edit(["user": ["verbose": 0]])
        #expect(trial.get(port) == 5 && trial.rejected.isEmpty)
    }

    @Test func `what is kept under a name that another value blocks replaces that`() {
        var trial = Trial(validation, ["user": ["http": ["port": 81, "unknown": 5]]])
        trial.edit(["user": ["http": "off"]])
        #expect(trial.get(nested) == 81)
        #expect(trial.active["user"]?.contents == ["http": ["port": 81]])
    }

    @Test func `a value that is kept under a former name stays there`() {
        var trial = Trial(validation, ["user": ["net": ["port": 81]]])
        trial.edit(["user": ["http": ["port": "x", "host": "h"]]])
        #expect(trial.get(nested) == 81)
        #expect(trial.active["user"]?.contents == ["http": ["host": "h"], "net": ["port": 81]])
    }

    @Test func `the same wrong value of another layer is a new problem if it hides a right one`() {
        var trial = Trial(validation, ["system": ["port": "x"], "site": ["port": 81]])
        trial.edit(["site": ["port": "x"]])
        #expect(trial.get(port) == 81 && trial.rejected.keys.sorted() == [1])
    }

    @Test func `a rule that is broken since the start may not get worse, and concerns no other key`() {
        var trial = Trial(validation, ["system": ["max": 5], "site": ["min": 7]])
        trial.edit(["system": ["max": 0, "verbose": 1]])
        #expect(trial.get(maximum) == 5 && trial.get(verbose) == 0)
        trial.edit(["system": ["max": 5, "verbose": 1]])
        #expect(trial.active == trial.newest)
    }

    @Test func `what waits for handlers holds back its own layer and no other`() {
        var validation = validation
        validation.isWaiting = { [verbose] in $0.snapshot.get(verbose) != $1.snapshot.get(verbose) }
        var trial = Trial(validation, ["system": ["verbose": 0], "site": ["port": 9]])
        trial.edit(["system": ["verbose": 1, "port": 7], "site": ["port": 10]])
        #expect(trial.get(verbose) == 0 && trial.get(port) == 10)
        #expect(trial.offer == trial.newest && trial.rejected.isEmpty)
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `when all is mended, everything is active, in whatever order it was mended`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var trial = Trial(validation, ["system": ["port": 5], "user": ["min": 2, "max": 4]])
        let values: [PrefsValue] = [0, 1, 2, 3, 5, 7, "x"]
        for _ in 0..<12 {
            let name = ["system", "site", "top", "user"].randomElement(using: &random) ?? ""
            var contents = trial.newest[name]?.contents ?? [:]
            for _ in 0..<2 {
                let key = ["port", "verbose", "min", "max", "a", "b"].randomElement(using: &random) ?? ""
                contents[key] = Bool.random(using: &random) ? nil : values.randomElement(using: &random)
            }
            trial.edit([name: contents])
            // One more commit changes nothing.
            let (before, rejected) = (trial.active, trial.rejected.mapValues { $0.map(\.identity) })
            trial.commit()
            #expect(trial.active == before)
            #expect(trial.rejected.mapValues { $0.map(\.identity) } == rejected)
            #expect(trial.get(minimum) <= trial.get(maximum) && trial.get(first) == trial.get(second))
        }
        for name in ["system", "site", "top", "user"].shuffled(using: &random) {
            trial.edit([name: name == "user" ? ["min": 3, "port": 6] : ["max": 9]])
        }
        #expect(trial.active == trial.newest && trial.rejected.isEmpty)
    }
}
