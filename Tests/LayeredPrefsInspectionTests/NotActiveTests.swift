import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsSystem
import Testing

@testable import LayeredPrefs
@testable import LayeredPrefsInspection

private struct Section: Codable, Sendable, Equatable {
    var x = 1
}

private struct Relay: Codable, Sendable, Equatable {
    @Setting(in: 1...100) var a = 10
    @Setting(in: 1...100) var b = 50
    var c = "default"
    var s = Section()
}

private struct Rejected: Error {}

/// Actions of an administrator or a user on the files of a program that runs well.
enum Trouble: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case wrongValue, brokenRule, rejectedByProgram, syntaxError, folderInPlace, removedDropIn, maskedDropIn
    case twoFormats, usersWrongValue, usersWrongFirstValue, lockBreaksRule, editAfterLock, unreadableLocks

    var testDescription: String { rawValue }

    var needsLock: Bool { self == .lockBreaksRule || self == .editAfterLock }
}

/// A program and its files.
private struct Machine {
    let sandbox: PrefsSandbox
    /// The values of a layer above the files. A new process has them, too.
    let values: [String: PrefsValue]
    let storage: PrefsStack
    let relay: Live<Relay>
    let applying: PrefsObservation
    let answers: InspectionAnswers

    var main: String { "\(sandbox.root)/etc/relay/relay.toml" }
    var dropIn: String { "\(main).d/50-b.toml" }
    var locks: String { "\(sandbox.root)/etc/relay/relay.locks" }
    var user: String { "\(sandbox.root)/user.toml" }

    init(_ trouble: Trouble) throws {
        sandbox = try PrefsSandbox()
        values = trouble.needsLock ? ["a": 95, "b": 96] : [:]
        let etc = "\(sandbox.root)/etc/relay"
        try FileManager.default.createDirectory(
            atPath: "\(etc)/relay.toml.d", withIntermediateDirectories: true)
        try Self.write("a = 55\n", to: "\(etc)/relay.toml")
        try Self.write("b = 60\n", to: "\(etc)/relay.toml.d/50-b.toml")
        try Self.write("c = \"mine\"\n", to: "\(sandbox.root)/user.toml")
        storage = Self.stack(sandbox, values)
        relay = try Self.start(storage)
        applying = relay.apply(\.s) { _, new in if new.x == 7 { throw Rejected() } }
        answers = InspectionAnswers(storage: storage, domain: "relay", keys: relay.keys, permissions: .reload)
    }

    static func write(_ text: String, to path: String) throws {
        try PrefsFileWriter(path).replace { _ in Array(text.utf8) }
    }

    /// Returns the stack of a new process.
    static func stack(_ sandbox: PrefsSandbox, _ values: [String: PrefsValue]) -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let locations = PrefsFileLocations.daemon("relay", root: sandbox.root).system
        return PrefsStack(diagnostics: options.diagnostics) { [options] in
            PrefsLayer(
                .system, SystemPrefsStorage(locations: locations, followsUAPI6: true, options: options))
            PrefsLayer(.user, FilePrefsStorage(path: "\(sandbox.root)/user.toml", options: options))
            PrefsLayer("host", DictionaryPrefsStorage(values: values))
        }
    }

    static func start(_ storage: PrefsStack) throws -> Live<Relay> {
        try Live(Relay(), storage) { if $0.a > $0.b { throw PrefsError(.invalid, reason: "a exceeds b") } }
    }

    func make(_ trouble: Trouble) throws {
        let files = FileManager.default
        switch trouble {
        case .wrongValue: try Self.write("a = 200\n", to: main)
        case .brokenRule: try Self.write("a = 97\n", to: main)
        case .rejectedByProgram: try Self.write("a = 55\ns.x = 7\n", to: main)
        case .syntaxError: try Self.write("a = = 1\n", to: main)
        case .folderInPlace:
            try files.removeItem(atPath: main)
            try files.createDirectory(atPath: main, withIntermediateDirectories: true)
        case .removedDropIn: try files.removeItem(atPath: dropIn)
        case .maskedDropIn: try Self.write("", to: dropIn)
        case .twoFormats: try Self.write("{\"a\": 3}", to: "\(sandbox.root)/etc/relay/relay.json")
        case .usersWrongValue: try Self.write("c = 5\n", to: user)
        case .usersWrongFirstValue: try Self.write("c = \"mine\"\na = \"x\"\n", to: user)
        case .lockBreaksRule: try Self.write("b\n", to: locks)
        case .editAfterLock:
            try Self.write("b\n", to: locks)
            storage.reload()
            try Self.write("c = \"a good edit\"\n", to: user)
        case .unreadableLocks: try files.createDirectory(atPath: locks, withIntermediateDirectories: true)
        }
    }

    func mend() throws {
        let files = FileManager.default
        for path in [main, locks, "\(sandbox.root)/etc/relay/relay.json"] {
            try? files.removeItem(atPath: path)
        }
        try Self.write("a = 55\n", to: main)
        try Self.write("b = 60\n", to: dropIn)
        try Self.write("c = \"mine\"\n", to: user)
    }

    func reload() async throws {
        storage.reload()
        try await relay.applied()
        await storage.settled()
    }

    func ask(_ kind: InspectionRequest.Kind, key: String? = nil) -> InspectionReply {
        answers.reply(to: InspectionRequest(kind, key: key))
    }
}

/// After each kind of trouble, all reports about a running program agree with each other, and with the effect
/// of a real restart.
@Suite struct NotActiveTests {
    @Test(arguments: Trouble.allCases)
    func `all reports of what is not active agree, and foretell the restart`(trouble: Trouble) async throws {
        let machine = try Machine(trouble)
        let before = machine.relay.current
        try await expectNothing(machine)
        try machine.make(trouble)
        try await machine.reload()
        #expect(machine.relay.current == before)

        let inactive = machine.storage.notActive
        #expect(!inactive.isEmpty && inactive.allSatisfy { !$0.problems.isEmpty })
        let problems = Set(inactive.flatMap(\.problems).map { "\($0)" })
        // The program itself
        #expect(Set(machine.storage.rejections.flatMap(\.problems).map { "\($0)" }) == problems)
        let status = machine.storage.status
        let told = status.flatMap { $0.rejection?.problems ?? [] }.map { "\($0)" }
        let broken = status.filter { $0.problem != nil }
        #expect(Set(told).isSubset(of: problems))
        #expect(
            Set(told).count + Set(broken.compactMap(\.problem?.reason)).count == problems.count, "\(problems)"
        )
        // The commands and the page
        let reply = try #require(machine.ask(.status).status)
        #expect(reply.sources.contains { $0.problem != nil || $0.rejection != nil })
        let reload = try #require(machine.ask(.reload).outcome)
        #expect(reload.isEffective == false && reload.problems?.isEmpty == false)

        // A restart
        let drift = try #require(machine.ask(.drift).drift)
        let next = Result { try Machine.start(Machine.stack(machine.sandbox, machine.values)).current }
        switch next {
        case .failure(let error):
            let failures = drift.filter { $0.reason == .fails }
            #expect(!failures.isEmpty && failures.count == drift.count, "\(drift)")
            let first = (error as? PrefsError)?.reason ?? ""
            #expect(failures.contains { $0.explanation.contains(first) }, "\(first) in \(drift)")
            #expect(reply.restart?.hasPrefix("a restart would fail") == true)
            #expect(reload.problems?.last == reply.restart)
        case .success(let value):
            #expect(Set(drift.map(\.key)) == Set(changes(from: machine.relay.current, to: value)))
            #expect(!drift.contains { $0.reason == .fails || $0.reason == .file })
            #expect(reply.restart?.hasPrefix("a restart would use") == true)
        }
        #expect((try? next.get()) != machine.relay.current)

        // Each key that the trouble concerns
        for key in try concerned(trouble, machine) {
            let explanation = try #require(machine.ask(.explain, key: key).explanation)
            #expect(
                explanation.rejections?.isEmpty == false || explanation.broken?.isEmpty == false, "\(key)")
            #expect(explanation.restart != nil, "\(key)")
            let field = try #require(machine.relay.keys.first { $0.name == key })
            let own = machine.storage.explanation(
                for: PersistentKey<PrefsValue?>(field.name, defaultValue: nil))
            // An untyped key does not know that its row is rejected, and the locks file has no rows.
            #expect(own.rejections.isEmpty == (trouble == .unreadableLocks), "\(key)")
        }

        try machine.mend()
        try await machine.reload()
        try await expectNothing(machine)
    }

    @Test func `values that a lock keeps from the program are told, and those that it uses`() async throws {
        let machine = try Machine(.editAfterLock)
        try machine.make(.editAfterLock)
        try await machine.reload()
        #expect(machine.relay.current.c == "mine")
        let key = try #require(machine.ask(.list, key: "c").keys?.first)
        #expect(key.text == "mine" && key.rejected.count == 1)
        #expect(
            key.rejected.first?.contains("not used: rejected by a rule of the program: a exceeds b") == true)
        let drift = try #require(machine.ask(.drift).drift)
        #expect(
            drift.contains { $0.key == "c" && $0.running == "\"mine\"" && $0.reason == .fails }, "\(drift)")
    }

    @Test func `a locks file that cannot be read locks all keys of its layer, also after a restart`() throws {
        let machine = try Machine(.unreadableLocks)
        // A program without a configuration as a whole; with one, it would not start with such a file.
        let storage = Machine.stack(machine.sandbox, machine.values)
        let key = PersistentKey("a", defaultValue: 10)
        storage.declare(key)
        let answers = InspectionAnswers(
            storage: storage, domain: "relay", keys: [PrefsKeyDescription(key)], permissions: .reload)
        try machine.make(.unreadableLocks)
        storage.reload()
        let consequence = "until the file is fixed, every key that this layer sets is locked"
        let sentence =
            "a restart would use the new version, "
            + "and lock every key that the layer of the broken locks file sets"
        let reply = try #require(answers.reply(to: InspectionRequest(.status)).status)
        #expect(reply.restart == sentence)
        #expect(reply.sources.compactMap(\.problem).map { $0.hasSuffix(consequence) } == [true])
        let problems = answers.reply(to: InspectionRequest(.reload)).outcome?.problems
        #expect(problems?.last == sentence)
        let explanation = try #require(
            answers.reply(to: InspectionRequest(.explain, key: "a")).explanation)
        #expect(explanation.broken?.map { $0.hasSuffix(consequence) } == [true])
        #expect(explanation.restart == "a restart would use the same value")
        #expect(explanation.lock != nil)

        // Check that the sentence is true.
        let next = Machine.stack(machine.sandbox, machine.values)
        for storage in [storage, next] { #expect(Set(storage.locks.map(\.key)) == ["a", "b"]) }
    }

    @Test func `a removal that is rejected names the file`() async throws {
        let machine = try Machine(.removedDropIn)
        try machine.make(.removedDropIn)
        try await machine.reload()
        let source = try #require(machine.storage.status.first { $0.file == machine.dropIn })
        #expect(source.layer == "system" && source.rejection?.isRemoval == true)
        #expect(source.description.contains("removal rejected since "))
        let line = try #require(
            machine.ask(.status).status?.sources.compactMap(\.rejection).first?.lines.first)
        #expect(line.hasPrefix("removal rejected since ") && line.contains("a exceeds b"), "\(line)")
    }

    @Test func `what is rejected of a stack within another one is told by both`() throws {
        let sandbox = try PrefsSandbox()
        let path = "\(sandbox.root)/site.toml"
        try Machine.write("a = 1\n", to: path)
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let inner = PrefsStack(diagnostics: options.diagnostics) { [options] in
            PrefsLayer(.system, FilePrefsStorage(path: path, options: options))
        }
        let outer = PrefsStack(diagnostics: options.diagnostics) { PrefsLayer("site", inner) }
        let key = PersistentKey("a", defaultValue: 0, in: 0...9)
        inner.declare(key)
        outer.declare(key)
        try Machine.write("a = 70\n", to: path)
        inner.reload()
        #expect(outer.get(key) == 1)
        #expect(inner.notActive.map(\.layer) == ["system"])
        #expect(outer.notActive.map(\.layer) == ["site.system"])
        #expect(outer.notActive.flatMap(\.paths).map(\.name) == ["a"])
        #expect(outer.rejections.flatMap(\.problems) == inner.rejections.flatMap(\.problems))
        #expect(outer.status.compactMap(\.rejection) == inner.status.compactMap(\.rejection))
        try Machine.write("a = 7\n", to: path)
        inner.reload()
        #expect(outer.get(key) == 7 && outer.notActive.isEmpty)
    }

    private func expectNothing(_ machine: Machine) async throws {
        #expect(machine.storage.notActive.isEmpty && machine.storage.rejections.isEmpty)
        #expect(
            machine.storage.status.allSatisfy { $0.problem == nil && $0.rejection == nil && $0.layer != nil })
        #expect(machine.ask(.drift).drift?.isEmpty == true)
        #expect(machine.ask(.status).status?.restart == nil)
        #expect(machine.ask(.reload).outcome?.isEffective == true)
        let next = try Machine.start(Machine.stack(machine.sandbox, machine.values))
        #expect(next.current == machine.relay.current)
    }

    private func changes(from old: Relay, to new: Relay) -> [String] {
        [
            old.a == new.a ? nil : "a", old.b == new.b ? nil : "b", old.c == new.c ? nil : "c",
            old.s == new.s ? nil : "s.x",
        ].compactMap(\.self)
    }

    private func concerned(_ trouble: Trouble, _ machine: Machine) throws -> [String] {
        switch trouble {
        case .rejectedByProgram: ["s.x"]
        case .removedDropIn, .maskedDropIn: ["b"]
        case .usersWrongValue, .editAfterLock: ["c"]
        case .lockBreaksRule: ["b"]
        default: ["a"]
        }
    }
}
