import FoundationEssentials
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// A running process that serves inspection, as the commands show it.
struct LiveProcess: Sendable {
    let client: InspectionClient

    init(_ socket: InspectionSocket, secondsToAnswer seconds: Int = 10) {
        client = InspectionClient(socket, secondsToAnswer: seconds)
    }

    /// Finds the process with a pid.
    init(pid: CInt, domain: String?) throws {
        guard let socket = Self.sockets(domain: domain).first(where: { $0.pid == pid }) else {
            if let owner = fileStatus(of: "/proc/\(pid)")?.st_uid, geteuid() != 0, owner != geteuid() {
                throw CommandFailure.rejected(
                    "process \(pid) belongs to another user, and only that user and root may ask it")
            }
            throw CommandFailure.failed(
                "process \(pid) serves no inspection\(domain.map { " of \($0)" } ?? ""); 'prefs ps' lists those that do"
            )
        }
        try self.init(answering: socket)
    }

    /// Creates a process, and throws after two seconds if it does not answer.
    init(answering socket: InspectionSocket) throws {
        _ = try LiveProcess(socket, secondsToAnswer: 2).status()
        self.init(socket)
    }

    /// The end of the message that no process was found. Other users' processes are not visible to this user.
    static var othersRemark: String {
        geteuid() == 0 ? "" : ", or it is another user's, which only that user and root may ask"
    }

    /// Returns the sockets of this user's processes; for root, of all processes.
    static func sockets(domain: String?) -> [InspectionSocket] {
        var folders = [InspectionFolder.standard, "/run/prefs"]
        if geteuid() == 0 {
            folders += entryNames(in: "/run/user").filter { CInt($0) != nil }.map { "/run/user/\($0)/prefs" }
        }
        var seen: Set<String> = []
        return folders.filter { seen.insert($0).inserted }
            .flatMap { InspectionFolder.sockets(in: $0, domain: domain) }
    }

    /// Returns the status of each process that serves inspection, or the error if it does not answer within two
    /// seconds.
    ///
    /// All processes are asked at the same time, so a socket that never answers delays nobody else.
    static func statuses(
        of domain: String?
    ) -> [(socket: InspectionSocket, status: Result<InspectionReply.Status, PrefsError>)] {
        let sockets = sockets(domain: domain)
        let answers = concurrently(sockets) { socket in
            Result { try LiveProcess(socket, secondsToAnswer: 2).status() }
                .mapError { $0 as? PrefsError ?? PrefsError(.unreadable, reason: "\($0)") }
        }
        return Array(zip(sockets, answers))
    }

    /// The time that the processes have to answer if the command does not wait for them.
    static let patience = Duration.seconds(2)

    func status() throws -> InspectionReply.Status { try answer(InspectionRequest(.status), \.status) }

    /// Prints the effective value of a key.
    func printValue(of key: String, json: Bool) throws {
        let keys = try list(key)
        guard let report = keys.first(where: { $0.key == key }) else {
            guard let tree = keys.tree(under: key) else { throw CommandFailure.noSuchKey(key, nearest: nil) }
            return Output.print(value: ValueText.plain(tree))
        }
        let differences = try drift(environment: nil).filter { $0.key == key }
        // If a restart would use another value because of this error, the warning below names the error.
        for error in report.rejected where !differences.contains(where: { $0.explanation.contains(error) }) {
            Output.warn("\(error)")
        }
        for difference in differences {
            if difference.reason == .fails {
                Output.warn("\(key): \(difference.explanation)")
                continue
            }
            let value = difference.restarted ?? (difference.isSecret ? "another value" : "no value")
            Output.warn("\(key): a restart would use \(value): \(difference.explanation)")
        }
        if json { return Output.print(report.json) }
        guard !report.isSecret else {
            throw CommandFailure.rejected("\(key): the value is a secret, which the process does not reveal")
        }
        guard let value = report.text ?? report.value else {
            throw CommandFailure.noSuchKey(key, nearest: nil)
        }
        Output.print(value: value)
    }

    /// Prints all keys, or those below a prefix.
    func printList(below prefix: String, json: Bool) throws {
        let keys = try list(prefix.isEmpty ? nil : prefix)
        if json { return Output.print(keys.map(\.json)) }
        var table = Table()
        for report in keys {
            let notes = [report.lock == nil ? nil : "locked", report.isDeclared ? nil : "not declared"]
                .compactMap(\.self)
            let place = report.origin ?? "default"
            table.add(
                .init(report.key, .bold),
                .init(report.isSecret ? SecretPaths.mask : report.shown ?? "-", .green),
                .init(notes.isEmpty ? place : "\(place) (\(notes.joined(separator: ", ")))", .dim))
            for error in report.rejected { Output.warn("\(error)") }
        }
        table.print()
        if keys.isEmpty, !prefix.isEmpty { throw CommandFailure.noSuchKey(prefix, nearest: nil) }
    }

    /// Prints each layer's value of a key and the value's role. Does so for all keys below a name, too.
    func printExplanation(of name: String, json: Bool) throws {
        let known = try list(name).map(\.key).filter { $0.isBelow(name) }
        let keys = known.isEmpty || known.contains(name) ? [name] : known
        let explanations = try keys.map { try answer(InspectionRequest(.explain, key: $0), \.explanation) }
        if json, explanations.count == 1 {
            Output.print(explanations[0].json)
        } else if json {
            Output.print(explanations.map(\.json))
        } else {
            for (index, explanation) in explanations.enumerated() {
                if index > 0 { Output.print("") }
                print(explanation)
            }
        }
        if explanations.allSatisfy({ $0.rows.isEmpty && $0.declaration == nil }) {
            throw CommandFailure.noSuchKey(name, nearest: nil)
        }
    }

    private func print(_ explanation: InspectionReply.Explanation) {
        let style = Style.output
        let note =
            explanation.note.map { " (\($0))" }
            ?? (explanation.isUntyped ? " (untyped: the program does not declare it)" : "")
        Output.print(style(explanation.key, .bold) + style(note, .dim))
        var table = Table()
        for row in explanation.rows {
            table.add(
                .init(row.layer), .init(row.shown ?? SecretPaths.mask), .init(row.place), .init(row.role))
        }
        table.print(asPart: true)
        if table.isEmpty { Output.print("  not set") }
        if let lock = explanation.lock { Output.print("  \(lock)") }
        for line in explanation.rejectionLines { Output.print("  \(style(line, .red))") }
    }

    /// Prints each change until the process ends or a signal ends the command.
    func printChanges(of keys: [String], json: Bool) throws {
        let end = EndSignal()
        end.includeClosedOutput()
        let failure = Lock<(any Error)?>(nil)
        let isStarted = BackgroundThread.start(named: "prefs-watch") { [trigger = end.trigger] in
            do {
                try followChanges(of: keys, json: json)
            } catch {
                failure.withLock { $0 = error }
            }
            trigger()
        }
        if !isStarted { throw PrefsError(.busy, reason: "cannot start a thread") }
        end.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func followChanges(of keys: [String], json: Bool) throws {
        let keys = try holders(of: keys)
        try client.follow(InspectionRequest(.watch)) { reply in
            if reply.status != nil { printReady(json: json) }
            if var set = reply.changes {
                set.details = set.details?.filter { isWanted($0.key, keys) }
                if json { set.printJSON() } else { set.print(.output) }
            }
            return Output.flush()
        }
        if Output.flush() { Output.complain("prefs: the process has ended") }
    }

    private func printReady(json: Bool) {
        if json {
            Output.print(.object([("ready", .bool(true))]))
        } else {
            Output.complain("prefs: watching process \(client.socket.pid); press ^C to stop")
        }
    }

    func list(_ prefix: String?) throws -> [InspectionReply.Key] {
        try answer(InspectionRequest(.list, key: prefix), \.keys)
    }

    /// Returns a part of the answer to a request.
    func answer<Part>(
        _ request: InspectionRequest, _ part: (InspectionReply) -> Part?
    ) throws -> Part {
        guard let part = part(try client.ask(request)) else {
            throw PrefsError(.unsupported, reason: "process \(client.socket.pid) does not know this request")
        }
        return part
    }
}

extension InspectionSocket {
    /// True if the process exists.
    var isOfRunningProcess: Bool { kill(pid, 0) == 0 || errno == EPERM }
}

/// Calls a closure for all elements at the same time and returns its results in their order.
func concurrently<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) -> Result
) -> [Result] {
    let results = Lock([Result?](repeating: nil, count: elements.count))
    let threads = elements.indices.dropFirst().map { index in
        BackgroundThread.startJoinable(named: "prefs-ask") {
            let result = body(elements[index])
            results.withLock { $0[index] = result }
        }
    }
    let first = elements.first.map(body)
    for thread in threads.compactMap(\.self) { BackgroundThread.join(thread) }
    return results.withLock { $0 }.enumerated().map { index, result in
        // If its thread did not start, the closure has not been called yet.
        result ?? (index == 0 ? first : nil) ?? body(elements[index])
    }
}

extension [InspectionReply.Key] {
    /// Returns the values below a name as one dictionary, without secrets; `nil` if there are none.
    fileprivate func tree(under name: String) -> PrefsValue? {
        var tree = PrefsValue.dictionary([:])
        for report in self {
            guard let text = report.text, let kind = report.kind, let type = ValueType(argument: kind),
                let value = type.storedType.value(ofText: text)
            else { continue }
            tree.insert(value, at: PrefsPath(report.key).components[...])
        }
        return tree.value(at: PrefsPath(name).components[...])
    }
}

extension InspectionReply.Key {
    /// The value quoted for the shell; `nil` for a secret and for a key that is not set.
    var shown: String? { text.map(ShellWord.quoting) ?? value }

    /// The value; `nil` for a secret and for a key that is not set.
    fileprivate var stored: PrefsValue? {
        guard let text, let kind else { return nil }
        return ValueType(argument: kind)?.storedType.value(ofText: text) ?? .string(text)
    }

    /// The same members as in the answer that is made from the files.
    fileprivate var json: OrderedJSON {
        let (file, line, column) = place
        var members: [(String, OrderedJSON)] = [
            ("key", .string(key)),
            ("value", isSecret && kind != nil ? .string(SecretPaths.mask) : OrderedJSON(stored)),
            ("type", OrderedJSON(stored?.typeName)), ("layer", OrderedJSON(layer)),
            ("file", OrderedJSON(file)), ("line", line.map { OrderedJSON($0) } ?? .null),
            ("column", column.map { OrderedJSON($0) } ?? .null),
        ]
        if isSecret { members.append(("secret", .bool(true))) }
        members += [("untyped", .bool(false)), ("declared", .bool(isDeclared))]
        if let lock { members.append(("lock", .string(lock))) }
        if !rejected.isEmpty { members.append(("rejected", .array(rejected.map { .string($0) }))) }
        return .object(members)
    }

    /// The file, line and column that the origin names after the layer.
    private var place: (file: String?, line: Int?, column: Int?) {
        guard let origin, let start = origin.firstIndex(of: "/") else { return (nil, nil, nil) }
        var parts = origin[start...].split(separator: ":", omittingEmptySubsequences: false)
        var numbers: [Int] = []
        while parts.count > 1, numbers.count < 2, let number = parts.last.flatMap({ Int($0) }) {
            numbers.insert(number, at: 0)
            parts.removeLast()
        }
        return (parts.joined(separator: ":"), numbers.first, numbers.count > 1 ? numbers[1] : nil)
    }
}

extension InspectionReply.Explanation.Row {
    /// The value quoted for the shell; a rejected string in double quotes; `nil` for a secret.
    fileprivate var shown: String? {
        role.hasPrefix("rejected") && place.hasPrefix("/") ? value : text.map(ShellWord.quoting) ?? value
    }

    fileprivate var json: OrderedJSON {
        .object([
            ("layer", .string(layer)), ("value", OrderedJSON(value)), ("place", .string(place)),
            ("role", .string(role)),
        ])
    }
}

extension InspectionReply.Rejection {
    var json: OrderedJSON {
        .object([
            ("layer", OrderedJSON(layer)), ("file", OrderedJSON(file)),
            ("since", .string(Date(timeIntervalSince1970: since).formatted(.iso8601))),
            ("problems", .array(problems.map { .string($0.text) })), ("removal", .bool(isRemoval == true)),
        ])
    }
}

extension InspectionReply.Explanation {
    /// Lines about the revisions that the process rejects, and about the effect of a restart.
    var rejectionLines: [String] {
        (rejections ?? []).flatMap(\.lines) + (broken ?? []) + [restart].compactMap(\.self)
    }

    fileprivate var json: OrderedJSON {
        .object([
            ("key", .string(key)), ("untyped", .bool(isUntyped)), ("secret", .bool(isSecret)),
            ("lock", OrderedJSON(lock)), ("rejected", .array((rejections ?? []).map(\.json))),
            ("broken", .array((broken ?? []).map { .string($0) })), ("restart", OrderedJSON(restart)),
            ("layers", .array(rows.map(\.json))),
        ])
    }
}
