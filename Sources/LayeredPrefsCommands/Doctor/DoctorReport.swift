import FileWatching
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The findings of the doctor: the files, how they are watched, and how many keys each layer wins.
struct DoctorReport {
    let stack: Stack
    /// Returns the command line of another command that reads the same layers.
    private let command: (_ verb: String) -> String
    let files: [FileReport]
    let engine: FileWatcherStatus
    let limits = WatchLimits()
    /// The problems that keep a value or a file from being effective.
    private(set) var problems: [String] = []
    /// Remarks on circumstances that are not errors.
    private(set) var remarks: [String] = []
    /// The number of effective values that each layer provides.
    private(set) var wins: [(layer: String, keys: Int)] = []

    init(_ stack: Stack, command: @escaping (_ verb: String) -> String) {
        (self.stack, self.command) = (stack, command)
        let engine = stack.watcher.status
        self.engine = engine
        files = stack.storage.status.compactMap { status in
            guard let path = status.file else { return nil }
            return FileReport(
                layer: status.layer ?? "", path: path, problem: status.problem, holdsLocks: status.holdsLocks,
                status: fileStatus(of: path),
                watch: engine.paths.first { $0.path == path })
        }
        look()
    }

    private mutating func look() {
        if let doubt = stack.doubt { problems.append(doubt) }
        for case let (file, problem?) in files.map({ ($0, $0.problem) }) {
            let advice =
                file.isRepairable
                ? "; '\(command("edit"))' fixes it, '\(command("repair"))' puts it aside" : ""
            // The problem of a locks file already names the keys that are locked until it is fixed.
            let consequence = file.holdsLocks ? "" : "; running programs keep the previous version"
            problems.append("\(problem)\(consequence)\(advice)")
        }
        if let domain = stack.domain {
            // Ask every process, because each may reject a different revision.
            for (socket, answer) in LiveProcess.statuses(of: domain) {
                switch answer {
                case .success(let status):
                    problems += status.rejectionLines.map { "process \(socket.pid): \($0)" }
                    if let line = socket.deletionLine { problems.append(line) }
                case .failure(let error): problems.append("\(error)")
                }
            }
        }
        problems += files.filter { $0.problem == nil && $0.status != nil }.flatMap(\.warnings)
        problems += files.compactMap { file in file.risk.map { "\(file.path): \($0)" } }
        problems += UnreadFiles(of: stack).files.map { "\($0.path): nothing reads this file: \($0.reason)" }
        problems += files.compactMap { stack.hiddenSettings(in: $0) }
        for file in files { remarks += file.remarks.map { "\(file.path): \($0)" } }
        remarks += stack.systemLocations.compactMap(\.foreignFolder)
        if engine.engine == .polling {
            remarks.append("changes are detected by polling only: \(engine.reason)")
        }
        if let remark = limits.remark { remarks.append(remark) }
        let effects = LockEffects(stack)
        for lock in stack.storage.locks {
            guard let (reason, meant) = effects.uselessness(of: lock.key) else { continue }
            let hint = SpellingSuggestion.hint(meant)
            problems.append("\(lock.origin): the lock on “\(lock.key)” has no effect\(reason)\(hint)")
        }
        let storages = stack.storage.layers.map(\.storage)
        let shared = Set(
            storages.filter { $0 is FilePrefsStorage || $0 is SystemPrefsStorage }.flatMap(\.status)
                .compactMap(\.file).filter(isReadableByAll))
        for secret in stack.declared?.all.filter(\.isSecret) ?? [] {
            // An empty string, as in a vendor's file, is only a placeholder for a secret.
            let origins = stack.storage.snapshot.candidates(for: secret.names).filter { $0.value != "" }
                .map(\.origin)
            problems += origins.filter { $0.file.map(shared.contains) ?? false }.map {
                "\($0): \(secret.name): all users may read this secret; prevent that with `chmod o-r`"
            }
        }
        weigh(stack.reports(under: "", in: stack.storage.snapshot))
        if stack.storage.layers.contains(where: { $0.storage is EnvironmentPrefsStorage }) {
            remarks.append(
                "programs read environment variables once, at startup; the variables shown here are those of this shell"
            )
        }
        remarks += stack.unchecked.map { "\($0)" }
        if stack.declared == nil {
            let places = stack.domain.map { SchemaPlaces.candidates(for: $0).joined(separator: ", ") }
            remarks.append("untyped: no schema" + (places.map { " in \($0)" } ?? ""))
        }
    }

    private mutating func weigh(_ reports: [KeyReport]) {
        var counts: [String: Int] = [:]
        var unknown = UnknownKeys()
        let snapshot = stack.storage.snapshot
        for report in reports {
            problems += report.rejected.map { "\($0)" }
            if let line = stack.hiddenWrite(of: report, in: snapshot) { problems.append(line) }
            if report.value != nil { counts[report.origin?.layer ?? "declared defaults", default: 0] += 1 }
            if report.declared == nil, let declared = stack.declared, !report.isEmptySection(of: declared) {
                if let line = unknown.line(about: report, declared) { problems.append(line) }
            }
            if let declared = report.declared {
                problems += unknown.lines(aboutFieldsOf: declared, in: snapshot)
                if declared.isMissing(in: snapshot) { problems.append(line(aboutMissing: declared)) }
            }
            if report.declared?.needsRestart == true, report.origin != nil {
                remarks.append("\(report.key): changes take effect after a restart")
            }
        }
        problems += unknown.rest(listedBy: command("validate"))
        let order = stack.storage.layers.map(\.name.description) + ["declared defaults"]
        wins =
            order.compactMap { name in counts[name].map { (name, $0) } }
            + counts.filter { !order.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns the line about a required key that no layer sets.
    private func line(aboutMissing key: PrefsKeyDescription) -> String {
        let words = "\(ShellWord.quoting(key.name)) \(key.isSecret ? "-" : "VALUE")"
        return "\(key.name): a value is required, and no layer has one; '\(command("set")) \(words)' sets it"
    }
}

/// The keys that the program does not declare. The first ones of each file get a line each; the others are
/// counted.
private struct UnknownKeys {
    private static let limit = 10
    private var counts: [String: Int] = [:]

    /// Returns the line about a key; `nil` if enough keys of its file have a line.
    mutating func line(about report: KeyReport, _ declared: DeclaredKeys) -> String? {
        guard count(in: report.origin?.file ?? report.place) else { return nil }
        let hint = SpellingSuggestion.hint(declared.nearest(to: report.key))
        return "\(report.place): \(report.key): unknown key\(hint)"
    }

    /// Returns the lines about fields in a declared key's values that the key's structs do not have.
    mutating func lines(aboutFieldsOf declared: PrefsKeyDescription, in snapshot: PrefsSnapshot) -> [String] {
        snapshot.candidates(for: declared.names).flatMap { candidate in
            declared.storedType.unknownFields(in: candidate.value).compactMap { place, nearest -> String? in
                let origin = candidate.origin(ofPartAt: place)
                guard count(in: origin.file ?? "\(origin)") else { return nil }
                let hint = SpellingSuggestion.hint(nearest)
                return "\(origin): \(declared.name)\(place.suffix): unknown field\(hint)"
            }
        }
    }

    /// Counts an unknown key. Returns false if enough keys of the file have a line.
    private mutating func count(in place: String) -> Bool {
        counts[place, default: 0] += 1
        return counts[place, default: 0] <= Self.limit
    }

    /// Returns a line for each file that has more unknown keys, with their number.
    ///
    /// - Parameter command: The command that lists these keys.
    func rest(listedBy command: String) -> [String] {
        counts.filter { $0.value > Self.limit }.sorted { $0.key < $1.key }.map { place, count in
            let others = (count - Self.limit).counted("more unknown key")
            return "\(place): \(others); '\(command)' lists them"
        }
    }
}

extension Stack {
    /// Returns a line about a drop-in that hides a key's value in the drop-in that commands write; `nil` if there
    /// is no such drop-in.
    fileprivate func hiddenWrite(of report: KeyReport, in snapshot: PrefsSnapshot) -> String? {
        guard report.declared?.mergesDeeply != true, let system = storage.layer(.system),
            let file = path(of: system),
            systemLocations.allSatisfy({ !$0.mayBe(file) })
        else { return nil }
        let candidates = snapshot.candidates(for: report.declared?.names ?? PrefsKeyName(report.key))
        let rejected = report.rejected.map(\.origin)
        let layer = candidates.map(\.origin).filter {
            $0.layer == system.name.description && !rejected.contains($0)
        }
        guard let hidden = layer.dropFirst().first(where: { $0.file == file }), let first = layer.first,
            first.file != file
        else { return nil }
        return
            "\(first): \(report.key): hides the value in \(hidden), which 'prefs set' writes; give this file a name before it"
    }
}

extension Stack {
    /// Returns a line about a system file that contains more than secrets, but that only its owner may read; `nil`
    /// for any other file. Returns `nil` for a service, too, which reads its files as their owner.
    fileprivate func hiddenSettings(in file: FileReport) -> String? {
        guard storage.layer(.user) != nil, file.layer.hasPrefix(PrefsLayer.Name.system.description),
            file.problem == nil, !file.holdsLocks, isPrivate(file.path),
            let content = try? PrefsFile.content(of: file.path),
            content.leaves.contains(where: { !declared.secrets.covers(PrefsPath($0)) })
        else { return nil }
        return
            "\(file.path): other users may not read this file (\(file.permissions)), so their programs get none of its "
            + "settings; move its secrets to a file of their own, such as \(secretsFile(beside: file.path)), then run "
            + "chmod o+r on it"
    }
}

extension PrefsFileLocations.System {
    /// Returns true if the file is this location's main file, in any format.
    fileprivate func mayBe(_ file: String) -> Bool {
        file == path || PrefsFileFormat.stem(of: file) == PrefsFileFormat.stem(of: path)
    }
}

extension KeyReport {
    /// Returns true for an empty table that only groups declared keys.
    fileprivate func isEmptySection(of declared: DeclaredKeys) -> Bool {
        value?.kind == .dictionary && declared.isGroup(key)
    }
}

extension PrefsKeyDescription {
    /// Returns true if the key is required and no layer sets it.
    fileprivate func isMissing(in snapshot: PrefsSnapshot) -> Bool {
        guard isRequired, snapshot.candidates(for: names).isEmpty else { return false }
        return section.map { !snapshot.candidates(forKey: $0.name).isEmpty } ?? true
    }
}

extension DoctorReport {
    func print(_ style: Style) {
        heading("Layers, lowest first", style)
        layersTable.print(asPart: true)
        heading("Schema", style)
        Output.print("  \(schema)")
        heading("Watching", style)
        Output.print("  engine \(engine.engine): \(engine.reason)")
        Output.print(
            "  inotify: \(limits.instances.map(String.init) ?? "?") instances, \(limits.watches.map(String.init) ?? "?") watches per user"
        )
        heading("Effective values", style)
        var table = Table()
        for win in wins { table.add(.init(win.layer), .init(win.keys.counted("key"))) }
        table.print(asPart: true)
        for lock in stack.storage.locks { Output.print("  \(lock.key) is locked by \(lock.origin)") }
        printList("Remarks", remarks, .yellow, style)
        printList("Problems", problems, .red, style)
        if problems.isEmpty { Output.print(style("No problems found.", .green)) }
    }

    private func heading(_ text: TerminalText, _ style: Style) { Output.print(style(text, .bold)) }

    private func printList(_ title: TerminalText, _ lines: [String], _ colour: Style.Colour, _ style: Style) {
        guard !lines.isEmpty else { return }
        heading(title, style)
        for line in lines { Output.print("  \(style(line, colour))") }
    }

    /// The layers, each with its files, if it has any.
    private var layersTable: Table {
        var table = Table()
        for layer in stack.storage.layers.map(\.name.description) {
            let own = files.filter { $0.layer == layer || $0.layer.hasPrefix(layer + ".") }
            if own.isEmpty { table.add(.init(layer)) }
            for file in own { add(file, to: &table) }
        }
        return table
    }

    private func add(_ file: FileReport, to table: inout Table) {
        let colour: Style.Colour = file.problem != nil ? .red : file.status == nil ? .dim : .green
        table.add(
            .init(file.layer), .init(file.path), .init(file.state, colour), .init(file.permissions),
            .init(file.watch.map { "\($0.engine)" } ?? "", .dim))
    }

    private var schema: String {
        guard let declared = stack.declared else { return "none; all values are untyped" }
        return "\(stack.schema ?? "declared by the program"): \(declared.all.count.counted("key"))"
    }

    var json: OrderedJSON {
        .object([
            ("domain", OrderedJSON(stack.domain)),
            ("layers", .array(stack.storage.layers.map { .string("\($0.name)") })),
            ("files", .array(files.map(\.json))),
            ("schema", OrderedJSON(stack.schema)), ("untyped", .bool(stack.declared == nil)),
            ("engine", .object([("name", .string("\(engine.engine)")), ("reason", .string(engine.reason))])),
            ("inotify", limits.json),
            ("wins", .object(wins.map { ($0.layer, OrderedJSON($0.keys)) })),
            ("locks", .array(stack.storage.locks.map(\.json))),
            ("remarks", .array(remarks.map(OrderedJSON.string))),
            ("problems", .array(problems.map(OrderedJSON.string))),
        ])
    }
}

extension PrefsFileLocations.System {
    /// A remark about a drop-in folder that is named after another format than the main file beside it.
    fileprivate var foreignFolder: String? {
        guard let stem = PrefsFileFormat.stem(of: path) else { return nil }
        let files = PrefsFileFormat.extensions.map { "\(stem).\($0)" }
        let mains = files.filter { fileStatus(of: $0) != nil }
        let named = files.filter { FilePrefsStorage.Options().hasDropIns(in: "\($0).d") }
        guard mains.count == 1, named.count == 1, mains != named else { return nil }
        return "\(named[0]).d: read, but named after another format than \(mains[0]); "
            + "put new drop-ins into the same folder"
    }
}
