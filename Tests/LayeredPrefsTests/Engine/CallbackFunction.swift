import LayeredPrefs
import LayeredPrefsTesting
import PrefsDocuments

@testable import LayeredPrefs

/// A public function, called from a callback.
struct CallbackFunction: Sendable {
    let name: String
    /// The possible results. The result of an error is the error's code.
    private let expected: @Sendable (CallbackBench) -> Set<String>
    /// Returns true for a write through a stack, which throws during a commit of any stack.
    private var writesToStack: @Sendable (CallbackBench) -> Bool = { _ in false }
    private let call: @Sendable (CallbackBench) throws -> Any
    private let check: @Sendable (CallbackBench) -> Bool

    /// - Parameters:
    ///   - expected: The result of the call.
    ///   - afterwards: True if the call had its effect; evaluated when the callback has returned.
    init(
        _ name: String, _ expected: Set<String>,
        afterwards: @escaping @Sendable (CallbackBench) -> Bool = { _ in true },
        _ call: @escaping @Sendable (CallbackBench) throws -> Any
    ) {
        self.init(name, { _ in expected }, afterwards: afterwards, call)
    }

    init(
        _ name: String, _ expected: @escaping @Sendable (CallbackBench) -> Set<String>,
        afterwards: @escaping @Sendable (CallbackBench) -> Bool = { _ in true },
        _ call: @escaping @Sendable (CallbackBench) throws -> Any
    ) {
        (self.name, self.expected, self.call, check) = (name, expected, call, afterwards)
    }

    func result(of bench: CallbackBench) -> String {
        do {
            return "\(try call(bench))"
        } catch {
            return (error as? PrefsError)?.code.description ?? "\(error)"
        }
    }

    /// Returns the possible results of the call from a callback.
    func expected(_ bench: CallbackBench, from callback: Callback) -> Set<String> {
        let expected = expected(bench)
        if writesToStack(bench), callback.mayBeInTurn { return expected.union(["unsupported"]) }
        if !fails(bench, from: callback) { return expected }
        // The call throws whichever error it finds first.
        return expected.intersection(["notWritable"]).union(["unsupported"])
    }

    /// Returns true if the call from a callback had its effect, or should have had none.
    func holdsAfterwards(_ bench: CallbackBench, from callback: Callback) -> Bool {
        fails(bench, from: callback) || writesToStack(bench) && callback.mayBeInTurn || check(bench)
    }

    private func fails(_ bench: CallbackBench, from callback: Callback) -> Bool {
        writesToStack(bench) && callback.isInTurn
    }

    fileprivate var writingToStack: Self {
        var function = self
        function.writesToStack = { _ in true }
        return function
    }

    /// The same function, marked as one that writes to the subject itself, which may be a stack.
    fileprivate var writingToSubject: Self {
        var function = self
        function.writesToStack = { $0.subject is PrefsStack }
        return function
    }
}

extension CallbackFunction {
    static let all =
        reads + explanations + snapshots + observations + rules + writes.map(\.writingToStack) + laterWrites
        + writesToSubject

    private static let number = PersistentKey("number", defaultValue: 0)
    private static let other = PersistentKey("other", defaultValue: 0)

    private static let reads = [
        Self("get", ["1"]) { $0.stack.get(number) },
        Self("value", ["true"]) { $0.stack.value(forKey: "number") != nil },
        Self("subject.get", ["1"]) { $0.subject.get(number) },
        Self("subject.value", ["true"]) { $0.subject.value(forKey: "number") != nil || $0.holdsVariables },
        Self("subject.snapshot", ["1"]) { $0.subject.snapshot.get(number) },
        Self("subject.status", ["true"]) { !$0.subject.status.isEmpty },
        Self("subject.reload", ["()"]) { $0.subject.reload() },
        Self("status", ["true"]) { $0.stack.status.count >= 3 },
        Self("isWritable", ["true"]) { $0.stack.isWritable },
        Self("isPersistent", ["true"]) { $0.stack.isPersistent == $0.isPersistent },
        Self("changeSource", ["true"]) { $0.stack.changeSource.map { $0.generation > 0 } ?? true },
        Self("layer", ["overrides"]) { $0.stack.layer(.overrides)?.name ?? "none" },
        Self("require", ["()"]) { try $0.stack.require(["subject"]) },
        Self("exportedContents", ["true"]) {
            $0.stack.exportedContents()["number"] != nil || $0.holdsVariables
        },
        Self("reload", ["()"]) { $0.stack.reload() },
    ]

    private static let explanations = [
        Self("resolution(for:)", ["true"]) {
            $0.stack.resolution(for: number).origin?.layer?.hasPrefix("subject") ?? false
        },
        Self("resolution(forKey:)", ["true"]) { $0.stack.resolution(forKey: "number").value != nil },
        Self("explanation(for:)", ["1"]) { $0.stack.explanation(for: number).rows.count },
        Self("explanation(forKey:)", ["1"]) { $0.stack.explanation(forKey: "number").rows.count },
        Self("locks", ["0"]) { $0.stack.locks.count },
    ]

    private static let snapshots = [
        Self("snapshot.get", ["1"]) { $0.stack.snapshot.get(number) },
        Self("snapshot.subscript", ["true"]) { $0.stack.snapshot["number"] != nil },
        Self("snapshot.keys", ["true"]) { $0.stack.snapshot.keys.contains("number") || $0.holdsVariables },
        Self("snapshot.dictionary", ["true"]) {
            $0.stack.snapshot.dictionary["number"] != nil || $0.holdsVariables
        },
        Self("snapshot.candidates", ["1"]) { $0.stack.snapshot.candidates(forKey: "number").count },
        Self("snapshot.explanation", ["1"]) { $0.stack.snapshot.explanation(for: number).rows.count },
    ]

    private static let observations = [
        Self("observe(key)", ["()"]) { $0.stack.observe(number) { _ in }.cancel() },
        Self("observe", ["()"]) { $0.stack.observe { _ in }.cancel() },
        Self("observe(under:)", ["()"]) { $0.stack.observe(under: "a") { _ in }.cancel() },
        Self("subject.observe", ["()"]) { $0.subject.observe(number) { _ in }.cancel() },
        Self("values", ["true"]) {
            _ = $0.stack.values(for: number).makeAsyncIterator()
            return true
        },
        Self("values(several)", ["true"]) {
            _ = $0.stack.values(for: number, other).makeAsyncIterator()
            return true
        },
        Self("sink", ["1"]) { bench in
            let received = Recorder<Int>()
            bench.stack.values(for: number).sink(received.record).cancel()
            return received.elements.first ?? 0
        },
        Self("diagnostics.subscribe", ["()"]) { $0.stack.diagnostics.subscribe { _ in }.cancel() },
    ]

    private static let rules = [
        Self("declare", ["()"]) { $0.stack.declare(other) },
        Self("reportUnknownKeys", ["()"]) { $0.stack.reportUnknownKeys() },
        Self("migrate", ["[:]"]) { $0.stack.migrate() },
        Self("lock and unlock", ["()"], afterwards: { $0.stack.locks.isEmpty }) {
            $0.stack.lock("locked", at: "subject")
            return $0.stack.unlock("locked", at: "subject")
        },
        Self("constrain", ["()"]) { $0.stack.constrain(other) { _ in nil } },
        Self("withOverrides", ["5"]) { bench in
            bench.stack.withOverrides(["number": 5]) { bench.stack.get(number) }
        },
    ]

    private static let writes = [
        Self("set(in:)", ["effective"], afterwards: { $0.stack.get(other) == 2 }) {
            try $0.stack.set(other, to: 2, in: .overrides)
        },
        Self("remove(in:)", ["effective"], afterwards: { $0.stack.get(other) == 0 }) {
            try $0.stack.remove(other, in: .overrides)
        },
        Self("setValue(in:)", ["effective"], afterwards: { $0.stack.value(forKey: "raw") == 3 }) {
            try $0.stack.setValue(3, forKey: "raw", in: .overrides)
        },
        Self("removeValue(in:)", ["effective"], afterwards: { $0.stack.value(forKey: "raw") == nil }) {
            try $0.stack.removeValue(forKey: "raw", in: .overrides)
        },
        Self(
            "transaction", ["2"],
            afterwards: { $0.stack.value(forKey: "first") == 6 && $0.memory.value(forKey: "second") == 6 }
        ) {
            try $0.stack.transaction { transaction in
                transaction.setValue(6, forKey: "first", in: "foreign")
                transaction.setValue(6, forKey: "second", in: .overrides)
            }.results.count
        },
    ]

    private static let laterWrites = [
        Self("setLater", ["()"], afterwards: { $0.stack.get(other) == 4 }) {
            $0.stack.setLater(other, to: 4, in: .overrides)
        },
        Self("setValueLater", ["()"], afterwards: { $0.stack.value(forKey: "raw") == 5 }) {
            $0.stack.setValueLater(5, forKey: "raw", in: .overrides)
        },
        Self("update", ["()"], afterwards: { $0.stack.value(forKey: "updatedHere") == 7 }) {
            $0.memory.update { $0["updatedHere"] = 7 }
        },
    ]

    private static let writesToSubject = [
        Self(
            "set(in: subject)", \.outcomeOfWrite,
            afterwards: { !$0.subject.isWritable || $0.stack.value(forKey: "inSubject") == 8 }
        ) { try $0.stack.setValue(8, forKey: "inSubject", in: "subject") }.writingToStack,
        Self("set", ["effective"], afterwards: { $0.stack.value(forKey: "inDefault") == 9 }) {
            try $0.stack.setValue(9, forKey: "inDefault")
        }.writingToStack,
        Self(
            "subject.setValue", \.outcomeOfWrite,
            afterwards: { !$0.subject.isWritable || $0.stack.value(forKey: "direct") == 10 }
        ) { try $0.subject.setValue(10, forKey: "direct") }.writingToSubject,
        Self(
            "subject.removeValue", \.outcomeOfWrite,
            afterwards: { $0.stack.value(forKey: "direct") == nil }
        ) { try $0.subject.removeValue(forKey: "direct") }.writingToSubject,
    ]
}

extension CallbackBench {
    fileprivate var isPersistent: Bool { subject is FilePrefsStorage || subject is SystemPrefsStorage }

    /// The possible outcomes of a write to the subject.
    fileprivate var outcomeOfWrite: Set<String> { subject.isWritable ? ["effective"] : ["notWritable"] }

    /// True if the subject holds variables, which can only be found by the name of a key.
    fileprivate var holdsVariables: Bool { subject is EnvironmentPrefsStorage }
}
