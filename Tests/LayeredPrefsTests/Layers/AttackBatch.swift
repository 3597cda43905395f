import FileWatching
import LayeredPrefsTesting
import PrefsSystem

@testable import LayeredPrefs

/// The values that observers received, by key.
final class ObservedValues: Sendable {
    let values = Lock<[String: [String]]>([:])

    subscript(key: String) -> [String] { values.withLock { $0[key] ?? [] } }

    func append(_ value: String, for key: String) {
        values.withLock { $0[key, default: []].append(value) }
    }
}

/// A stack, and the attacks made on it together.
final class AttackBatch {
    struct Result: Sendable {
        /// The number of attacks.
        var count = 0
        /// The attacks that succeeded, each with the ways of reading that showed it.
        var breaches: [String] = []
        /// The number of attacks with an acceptable value that were examined before a lock arrived, and how
        /// many of them succeeded then.
        var tried = 0
        var landed = 0
    }

    private static let site: PrefsLayer.Name = "site"
    private let targets: [AttackTarget]
    let moment: LockAttack.Moment
    private let sandbox: PrefsSandbox
    let named: String
    private let json: String
    var stack: PrefsStack
    var outer: PrefsStack
    private let top = DictionaryPrefsStorage()
    let observed = ObservedValues()
    private var observations: [PrefsObservation] = []

    init(_ attacks: [LockAttack], _ moment: LockAttack.Moment) throws {
        targets = attacks.enumerated().map { AttackTarget($1, number: $0) }
        self.moment = moment
        sandbox = try PrefsSandbox()
        named = "\(sandbox.root)/named/com.example.myd.plist"
        json = "\(sandbox.root)/site.json"
        (stack, outer) = (PrefsStack {}, PrefsStack {})
    }

    /// Makes the attacks and examines their results.
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
            let sample = targets.indices.filter { $0.isMultiple(of: 8) && targets[$0].isAcceptable }
                .map { targets[$0] }
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
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.coalescing = .immediate
        let places = sandbox.locations.system + [.init(path: named, honorsLocksFile: false)]
        stack = PrefsStack(coalescing: .immediate, diagnostics: options.diagnostics) {
            PrefsLayer.defaults(entries(of: .defaults) { [$0.root: ["sub": ["port": "good"]]] })
            PrefsLayer(.system, SystemPrefsStorage(locations: places, options: options))
            PrefsLayer(.user, FilePrefsStorage(path: sandbox.user, options: options))
            PrefsLayer(Self.site, FilePrefsStorage(path: json, options: options))
            PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "ATT_", environment: variables))
            PrefsLayer(.arguments, ArgumentsPrefsStorage(arguments))
            PrefsLayer.debug(DictionaryPrefsStorage())
            PrefsLayer.overrides
        }
        outer = PrefsStack(coalescing: .immediate, diagnostics: options.diagnostics) {
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
        // Writes to files are durable and therefore slow, so there are fewer of them.
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
}

extension String {
    fileprivate func trimming(_ isOuter: (Character) -> Bool) -> String {
        String(drop(while: isOuter).reversed().drop(while: isOuter).reversed())
    }
}
