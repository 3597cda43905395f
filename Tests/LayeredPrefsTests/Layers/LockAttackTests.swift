import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Generated attempts to override a locked key, of which none may succeed.
///
/// Each attack has a pair of keys of its own and is one combination of: where the lock and the good value
/// are, how the attacker spells the key, how the value reaches which layer, and when. The attacks of a batch
/// share a stack. `ATTACKS=10240 ./Scripts/test --filter LockAttackTests` sets their number.
@Suite struct LockAttackTests {
    private static let count =
        ProcessInfo.processInfo.environment["ATTACKS"].flatMap(Int.init) ?? 5_120
    private static let batchSize = 64

    @Test func `no attack on a lock succeeds`() async throws {
        var random = SeededGenerator(seed: 20_261_122)
        let attacks = LockAttack.all.shuffled(using: &random).prefix(Self.count)
        #expect(attacks.count == Self.count)
        let results: [AttackBatch.Result] = try await withThrowingTaskGroup(of: AttackBatch.Result.self) {
            group in
            for moment in LockAttack.Moment.allCases {
                var rest = attacks.filter { $0.moment == moment }[...]
                while !rest.isEmpty {
                    let batch = rest.prefix(Self.batchSize)
                    rest = rest.dropFirst(Self.batchSize)
                    group.addTask { try await AttackBatch(Array(batch), moment).run() }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let breaches = results.flatMap(\.breaches)
        #expect(breaches.isEmpty, "\(breaches.prefix(20).joined(separator: "\n"))")
        #expect(results.reduce(0) { $0 + $1.count } == Self.count)
        // Before a lock arrives most of them succeed, so they are attacks.
        let (tried, landed) = results.reduce((0, 0)) { ($0.0 + $1.tried, $0.1 + $1.landed) }
        #expect(tried > 100)
        #expect(landed > tried / 2)
    }
}

/// One combination.
struct LockAttack: Sendable {
    /// The time of the attack and of the lock, relative to the opening of the stack.
    enum Moment: CaseIterable { case beforeOpening, afterLocking, beforeLocking }

    enum LockPlace: CaseIterable { case file, fileWithWildcard, code, lowerLayer }

    /// The name in the lock: of the key, of a dictionary above it, or a former name.
    enum Locked: CaseIterable { case key, parent, root, formerName, formerParent }

    /// The layer that sets the good value; `none` leaves it to the key's default.
    enum Good: CaseIterable { case system, defaults, none }

    enum Declaration: CaseIterable { case undeclared, declared, observed }

    enum Route: CaseIterable {
        case propertyList, json, jsonDuplicates, jsonEscapes, environment, arguments, namedFolder, namedDropIn
        case layerStorage, layerUpdate, untypedWrite, typedWrite, deferredWrite, transaction, scope,
            outerStack
    }

    enum Spelling: CaseIterable {
        case nested, literal, both, halfLiteral, parentString, parentArray, literalParentString, rootString
        case beneath, beneathLiteral, emptyParent, emptyRoot, former, formerNested, formerParentString
    }

    let moment: Moment
    let place: LockPlace
    let locked: Locked
    let good: Good
    let declaration: Declaration
    let route: Route
    let spelling: Spelling

    /// Every combination that exists.
    static var all: [LockAttack] {
        var all: [LockAttack] = []
        for moment in Moment.allCases {
            for place in LockPlace.allCases {
                for locked in Locked.allCases {
                    for good in Good.allCases where place != .lowerLayer || good != .system {
                        for declaration in Declaration.allCases {
                            for route in Route.allCases where route.isPossible(at: moment) {
                                for spelling in Spelling.allCases {
                                    all.append(
                                        LockAttack(
                                            moment: moment, place: place, locked: locked, good: good,
                                            declaration: declaration, route: route, spelling: spelling))
                                }
                            }
                        }
                    }
                }
            }
        }
        return all
    }
}

extension LockAttack.Route {
    /// Variables and arguments are read when the stack is opened; what writes through it comes after that.
    func isPossible(at moment: LockAttack.Moment) -> Bool {
        switch self {
        case .environment, .arguments: moment != .afterLocking
        case .layerStorage, .layerUpdate, .untypedWrite, .typedWrite, .deferredWrite, .transaction,
            .outerStack:
            moment != .beforeOpening
        default: true
        }
    }

    /// True for a value that is written to a file, or given at the start, together with others.
    var isPassive: Bool {
        switch self {
        case .propertyList, .json, .jsonDuplicates, .jsonEscapes, .environment, .arguments, .namedFolder,
            .namedDropIn:
            true
        default: false
        }
    }
}

/// An attack with the keys that it is made on.
struct AttackTarget: Sendable {
    let attack: LockAttack
    let root: String
    let former: String
    /// The locked key, or one below the locked key.
    let key: PersistentKey<String>
    /// The dictionary that contains it.
    let parent: PersistentKey<[String: String]>

    init(_ attack: LockAttack, number: Int) {
        self.attack = attack
        (root, former) = ("p\(number)", "old\(number)")
        key = PersistentKey("\(root).sub.port", defaultValue: "default", .formerly("\(former).port"))
        parent = PersistentKey("\(root).sub", defaultValue: [:], .formerly(former))
    }

    var lock: String {
        switch attack.locked {
        case .key: "\(root).sub.port"
        case .parent: "\(root).sub"
        case .root: root
        case .formerName: "\(former).port"
        case .formerParent: former
        }
    }

    /// True if the lock is on the key's present name or above it, so that untyped reads see it even if the
    /// key is not declared.
    var isUntypedLocked: Bool {
        switch attack.locked {
        case .key, .parent, .root: true
        case .formerName, .formerParent: attack.declaration != .undeclared
        }
    }

    var expected: String { attack.good == .none ? "default" : "good" }

    /// The entries by which the attack spells the key.
    var entries: [String: PrefsValue] {
        switch attack.spelling {
        case .nested: [root: ["sub": ["port": "evil"]]]
        case .literal: ["\(root).sub.port": "evil"]
        case .both: [root: ["sub": ["port": "evil"]], "\(root).sub.port": "evil"]
        case .halfLiteral: ["\(root).sub": ["port": "evil"]]
        case .parentString: [root: ["sub": "evil"]]
        case .parentArray: [root: ["sub": ["evil"]]]
        case .literalParentString: ["\(root).sub": "evil"]
        case .rootString: [root: "evil"]
        case .beneath: [root: ["sub": ["port": ["x": "evil"]]]]
        case .beneathLiteral: ["\(root).sub.port.x": "evil"]
        case .emptyParent: [root: ["sub": [:]]]
        case .emptyRoot: [root: [:]]
        case .former: ["\(former).port": "evil"]
        case .formerNested: [former: ["port": "evil"]]
        case .formerParentString: [former: "evil"]
        }
    }

    /// The writes by path that correspond to the entries.
    var writes: [(key: String, value: PrefsValue)] { entries.map { ($0, $1) } }

    var description: String { "\(attack) on \(root)" }
}

/// The values that observers were given, by key.
private final class ObservedValues: Sendable {
    private let values = Lock<[String: [String]]>([:])

    subscript(key: String) -> [String] { values.withLock { $0[key] ?? [] } }

    func append(_ value: String, for key: String) {
        values.withLock { $0[key, default: []].append(value) }
    }
}

/// A stack, and the attacks that are made on it together.
private final class AttackBatch {
    struct Result: Sendable {
        /// The number of attacks.
        var count = 0
        /// The attacks that succeeded, with the ways of reading in which they did.
        var breaches: [String] = []
        /// The number of attacks that were looked at before a lock arrived, and of those that then succeeded.
        var tried = 0
        var landed = 0
    }

    private static let site: PrefsLayer.Name = "site"
    private let targets: [AttackTarget]
    private let moment: LockAttack.Moment
    private let sandbox: PrefsSandbox
    private let named: String
    private let json: String
    private var stack: LayeredPrefsStorage
    private var outer: LayeredPrefsStorage
    private let top = DictionaryPrefsStorage()
    private let observed = ObservedValues()
    private var observations: [PrefsObservation] = []

    init(_ attacks: [LockAttack], _ moment: LockAttack.Moment) throws {
        targets = attacks.enumerated().map { AttackTarget($1, number: $0) }
        self.moment = moment
        sandbox = try PrefsSandbox()
        named = "\(sandbox.root)/named/com.example.myd.plist"
        json = "\(sandbox.root)/site.json"
        (stack, outer) = (LayeredPrefsStorage {}, LayeredPrefsStorage {})
    }

    /// Makes the attacks and looks at what they achieved.
    func run() async throws -> Result {
        var result = Result(count: targets.count)
        let good = entries(of: .system) { [$0.root: ["sub": ["port": "good"]]] }
        try sandbox.write(good, to: sandbox.administrator)
        switch moment {
        case .beforeOpening:
            try writeLocks()
            try writeFiles()
            open(attacked: true)
            lockInCode()
            declare()
        case .afterLocking:
            try writeLocks()
            open(attacked: false)
            lockInCode()
            declare()
            try writeFiles()
            stack.reload()
            try await writeThroughStack()
        case .beforeLocking:
            open(attacked: true)
            declare()
            try writeFiles()
            stack.reload()
            try await writeThroughStack()
            let sample = targets.indices.filter { $0.isMultiple(of: 8) }.map { targets[$0] }
            (result.tried, result.landed) = (sample.count, sample.count { isAttacked($0) })
            try writeLocks()
            lockInCode()
            stack.reload()
        }
        await stack.settled()
        result.breaches = await breaches(contents: stack.snapshot.dictionary)
        for observation in observations { observation.cancel() }
        return result
    }

    private func breaches(contents: [String: PrefsValue]) async -> [String] {
        var breaches: [String] = []
        for (index, target) in targets.enumerated() {
            var faults = faults(of: target, contents, thoroughly: index.isMultiple(of: 8))
            if index.isMultiple(of: 32), await firstValue(target) != target.expected {
                faults.append("stream")
            }
            if !faults.isEmpty {
                breaches.append("\(target.description): \(faults.joined(separator: ", "))")
            }
        }
        return breaches
    }

    // MARK: The policy

    private func entries(
        of good: LockAttack.Good, _ entries: (AttackTarget) -> [String: PrefsValue]
    ) -> [String: PrefsValue] {
        var all: [String: PrefsValue] = [:]
        for target in targets where target.attack.good == good {
            all.merge(entries(target)) { _, new in new }
        }
        return all
    }

    private func writeLocks() throws {
        var lines: [String] = ["\u{FEFF}# policy"]
        for target in targets {
            switch target.attack.place {
            case .file: lines.append(target.lock)
            case .fileWithWildcard: lines.append("  \(target.lock).*\t# why")
            case .code, .lowerLayer: break
            }
        }
        try sandbox.write(
            lines.joined(separator: "\r\n"), to: sandbox.vendor.replacing(".plist", with: ".locks"))
    }

    private func lockInCode() {
        func keys(_ place: LockAttack.LockPlace) -> [String] {
            targets.filter { $0.attack.place == place }.map(\.lock)
        }
        stack.lock(keys(.code), at: .system)
        stack.lock(keys(.lowerLayer), at: .defaults)
    }

    private func open(attacked: Bool) {
        let attacks = attacked ? targets : []
        var variables: [String: String] = [:]
        var arguments: [String] = []
        for target in attacks where target.attack.route == .environment {
            for (key, value) in target.writes {
                variables[EnvironmentName.name(forKey: key, prefix: "ATT_")] = Self.text(value)
            }
        }
        for target in attacks where target.attack.route == .arguments {
            for (key, value) in target.writes { arguments += ["--set", "\(key)=\(Self.text(value))"] }
        }
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnostics { _ in }
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.coalescing = .immediate
        let places = sandbox.locations.system + [.init(path: named, honorsLocksFile: false)]
        stack = LayeredPrefsStorage(coalescing: .immediate, diagnostics: options.diagnostics) {
            PrefsLayer.defaults(entries(of: .defaults) { [$0.root: ["sub": ["port": "good"]]] })
            PrefsLayer(.system, SystemPrefsStorage(locations: places, options: options))
            PrefsLayer(.user, FilePrefsStorage(path: sandbox.user, options: options))
            PrefsLayer(Self.site, FilePrefsStorage(path: json, options: options))
            PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "ATT_", environment: variables))
            PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments))
            PrefsLayer.debug(DictionaryPrefsStorage())
            PrefsLayer.overrides
        }
        outer = LayeredPrefsStorage(coalescing: .immediate, diagnostics: options.diagnostics) {
            [stack, top] in
            PrefsLayer("inner", stack)
            PrefsLayer("top", top)
        }
    }

    private func declare() {
        let declared = targets.filter { $0.attack.declaration != .undeclared }
        stack.note(declared.flatMap { [$0.key.name, $0.parent.name] })
        for target in declared {
            switch target.attack.declaration {
            case .undeclared: break
            case .declared:
                stack.declare(target.key)
                stack.declare(target.parent)
            case .observed:
                let name = target.key.id
                observations.append(
                    stack.observe(target.key) { [observed] change in
                        observed.append(change.new.value, for: name)
                    })
                observations.append(stack.observe(target.parent) { _ in })
            }
        }
    }

    // MARK: The attack

    private static func text(_ value: PrefsValue) -> String {
        if case .string(let text) = value { return text }
        let json = (try? PrefsFileFormat.json.serialize(["v": value])) ?? []
        let text = String(decoding: json, as: UTF8.self)
        let (start, end) = (text.firstIndex(of: ":"), text.lastIndex(of: "}"))
        guard let start, let end else { return text }
        return String(text[text.index(after: start)..<end]).trimming { $0.isWhitespace }
    }

    private func writeFiles() throws {
        var files: [LockAttack.Route: [String: PrefsValue]] = [:]
        for target in targets where target.attack.route.isPassive {
            files[target.attack.route, default: [:]].merge(target.entries) { _, new in new }
        }
        try sandbox.write(files[.propertyList] ?? [:], to: sandbox.user)
        try sandbox.write(files[.namedFolder] ?? [:], to: named)
        try sandbox.write(files[.namedDropIn] ?? [:], to: "\(named).d/zz.plist")
        let harmless = (files[.jsonDuplicates] ?? [:]).mapValues { _ in PrefsValue.integer(0) }
        let escaped = (files[.jsonEscapes] ?? [:]).mapValues(Self.text)
        let members =
            [harmless, files[.json] ?? [:], files[.jsonDuplicates] ?? [:]].flatMap { entries in
                entries.map { "\"\($0)\": \(Self.jsonText($1))" }
            }
            + escaped.keys.map { key in
                let code = String(key.utf8.first ?? 0, radix: 16)
                let entry = files[.jsonEscapes]?[key] ?? "evil"
                return "\"\\u00\(code)\(key.dropFirst())\": \(Self.jsonText(entry))"
            }
        try sandbox.write("{\(members.joined(separator: ",\n"))}", to: json)
    }

    private static func jsonText(_ value: PrefsValue) -> String {
        if case .string(let text) = value { return "\"\(text)\"" }
        return text(value)
    }

    private func writeThroughStack() async throws {
        // Writes to files are durable, so there are fewer of them.
        let layers: [PrefsLayer.Name] =
            [.user, Self.site] + Array(repeating: .debug, count: 7) + Array(repeating: .overrides, count: 7)
        for (index, target) in targets.enumerated() {
            let layer = layers[index % layers.count]
            let storage = stack.layer(layer)?.storage
            for (key, value) in target.writes {
                switch target.attack.route {
                case .layerStorage: _ = try? storage?.setValue(value, forKey: key)
                case .layerUpdate:
                    (stack.layer(.overrides)?.storage as? DictionaryPrefsStorage)?.update { $0[key] = value }
                case .untypedWrite: _ = try? stack.setValue(value, forKey: key, in: layer)
                case .deferredWrite: stack.setValueLater(value, forKey: key, in: layer)
                case .transaction: _ = try? stack.transaction { $0.setValue(value, forKey: key, in: layer) }
                case .outerStack: _ = try? outer.setValue(value, forKey: key, in: "top")
                default: break
                }
            }
            if target.attack.route == .typedWrite {
                _ = try? stack.set(target.key, to: "evil", in: layer)
                _ = try? stack.set(target.parent, to: ["port": "evil"], in: layer)
            }
        }
        await stack.flush()
    }

    // MARK: The outcome

    /// The stack through which the program of an attack reads.
    private func reader(_ target: AttackTarget) -> LayeredPrefsStorage {
        target.attack.route == .outerStack ? outer : stack
    }

    private func scoped<Result>(_ target: AttackTarget, _ body: () -> Result) -> Result {
        target.attack.route == .scope ? stack.withOverrides(target.entries, body) : body()
    }

    private func isAttacked(_ target: AttackTarget) -> Bool {
        let storage = reader(target)
        return scoped(target) {
            storage.get(target.key) != target.expected
                || storage.snapshot[target.root] != goodContents(target)
                || storage.snapshot.candidates(for: target.key.name).count > 1
        }
    }

    private func goodContents(_ target: AttackTarget) -> PrefsValue? {
        target.attack.good == .none ? nil : ["sub": ["port": "good"]]
    }

    /// Returns the ways of reading in which an attack succeeded.
    private func faults(
        of target: AttackTarget, _ contents: [String: PrefsValue], thoroughly: Bool
    ) -> [String] {
        let storage = reader(target)
        var faults = scoped(target) {
            readingFaults(of: target, storage)
                + (thoroughly ? otherReadingFaults(of: target, storage) : [])
        }
        if target.attack.route != .scope, target.attack.route != .outerStack, target.isUntypedLocked {
            faults += untypedFaults(in: contents[target.root], of: target).map { "contents: \($0)" }
        }
        let received = observed[target.key.id]
        let allowed = moment == .beforeLocking ? received.suffix(1) : received[...]
        if allowed.contains("evil") { faults.append("observed") }
        return faults
    }

    private func readingFaults(of target: AttackTarget, _ storage: LayeredPrefsStorage) -> [String] {
        var faults: [String] = []
        func check(_ isHeld: Bool, _ way: String) { if !isHeld { faults.append(way) } }
        let (snapshot, expected) = (storage.snapshot, target.expected)
        check(storage.get(target.key) == expected, "get")
        let resolution = snapshot.resolution(for: target.key)
        check(resolution.value == expected && resolution.lock != nil, "resolution")
        let layers: [String?] = [nil, "defaults", "system", "inner.defaults", "inner.system"]
        check(layers.contains(resolution.origin?.layer), "origin")
        check(resolution.origin?.file.map { $0.hasPrefix(named) } != true, "file")
        let parent = storage.get(target.parent)["port"]
        check(parent == (target.attack.good == .none ? nil : "good"), "parent")
        guard target.isUntypedLocked else { return faults }
        check(snapshot[target.key.id] == goodValue(target), "untyped")
        return faults + untypedFaults(in: snapshot[target.root], of: target)
    }

    private func otherReadingFaults(of target: AttackTarget, _ storage: LayeredPrefsStorage) -> [String] {
        var faults: [String] = []
        func check(_ isHeld: Bool, _ way: String) { if !isHeld { faults.append(way) } }
        let snapshot = storage.snapshot
        check(snapshot.get(target.key) == target.expected, "snapshot.get")
        let explanation = storage.explanation(for: target.key)
        check(!explanation.rows.contains { $0.role == .winner && $0.value != "good" }, "explanation")
        guard target.isUntypedLocked else { return faults }
        let good = goodValue(target)
        check(storage.value(forKey: target.key.id) == good, "value(forKey:)")
        check(snapshot["\(target.key.id).x"] == nil, "below")
        let sub = snapshot["\(target.root).sub"]?.dictionary?["port"]
        if good != nil { check(sub == "good", "untyped parent") }
        let untyped = storage.resolution(forKey: target.key.id)
        check(untyped.value == good && untyped.lock != nil, "untyped resolution")
        return faults
    }

    private func goodValue(_ target: AttackTarget) -> PrefsValue? {
        target.attack.good == .none ? nil : "good"
    }

    /// Looks at the locked key within the dictionary that contains it.
    private func untypedFaults(in root: PrefsValue?, of target: AttackTarget) -> [String] {
        let found = root?.value(at: ["sub", "port"][...])
        return found == goodValue(target) ? [] : ["root: \(String(describing: found))"]
    }

    private func firstValue(_ target: AttackTarget) async -> String? {
        if target.attack.route == .scope { return target.expected }
        for await value in reader(target).values(for: target.key) { return value }
        return nil
    }
}

extension String {
    fileprivate func trimming(_ isOuter: (Character) -> Bool) -> String {
        String(drop(while: isOuter).reversed().drop(while: isOuter).reversed())
    }
}
