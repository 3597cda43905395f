import FoundationEssentials
package import LayeredPrefs
import PrefsSystem

/// Answers requests from a stack's current snapshot.
package final class InspectionAnswers: Sendable {
    private weak let storage: PrefsStack?
    private let domain: String
    let declared: DeclaredKeys
    private let secrets: SecretPaths
    let permissions: PrefsInspection.Permissions
    private let history: ChangeHistory
    /// The values that the process started with, for keys that need a restart.
    let started: [String: PrefsValue?]
    /// The time until a client is told that the program has not decided. Clients wait a little longer.
    let patience: Duration

    /// Creates answers about a stack and starts to record its changes.
    ///
    /// - Parameter secrets: The paths of further values to hide, in addition to the secrets that the stack knows.
    package init(
        storage: PrefsStack, domain: String, keys: [PrefsKeyDescription],
        secrets: SecretPaths = SecretPaths(), permissions: PrefsInspection.Permissions = [],
        historyLength: Int = 100, patience: Duration = .seconds(8)
    ) {
        self.storage = storage
        self.patience = patience
        self.domain = domain
        self.secrets = secrets
        self.permissions = permissions
        declared = DeclaredKeys(keys)
        history = ChangeHistory(limit: historyLength, secrets: secrets)
        // From now on, the stack masks the secrets even in the changes that it streams.
        storage.note(keys.map(\.names))
        let snapshot = storage.snapshot
        started = Dictionary(
            keys.filter(\.needsRestart).map { ($0.name, $0.value(in: snapshot)) }
        ) { first, _ in first }
        history.follow(storage, declared)
    }

    /// Stops recording changes.
    package func stop() { history.stop() }

    /// Answers one line. Returns false if the connection has ended.
    func answer(_ line: [UInt8], _ write: (Data) -> Bool) -> Bool {
        guard let request = try? JSONDecoder().decode(InspectionRequest.self, from: Data(line)) else {
            return write(Self.failure("expected a request such as {\"request\":\"status\"}"))
        }
        if request.request == .watch, storage != nil { return stream(write) }
        return write(Self.encode(reply(to: request)))
    }

    /// Returns the answer to any request except ``InspectionRequest/Kind/watch``.
    package func reply(to request: InspectionRequest) -> InspectionReply {
        guard let storage else {
            return InspectionReply(error: "the process no longer uses these preferences")
        }
        do {
            return try reply(to: request, storage)
        } catch {
            return InspectionReply(error: error.description)
        }
    }

    private func reply(
        to request: InspectionRequest, _ storage: PrefsStack
    ) throws(PrefsError) -> InspectionReply {
        var reply = InspectionReply()
        switch request.request {
        case .status: reply.status = status(of: storage)
        case .list: reply.keys = list(below: request.key, storage)
        case .explain: reply.explanation = explanation(of: try key(of: request), storage)
        case .history:
            let snapshot = storage.snapshot
            let key = request.key.map { declared.holder(of: $0)?.name ?? $0 }
            reply.history = history.sets(of: key) { explain($0, snapshot).isSecret }
        case .rejected: reply.rejectedKeys = rejectedKeys(of: storage)
        case .drift: reply.drift = drift(of: storage, environment: request.environment)
        case .reads: reply.reads = try reads(of: storage)
        case .reload:
            try check(.reload, "the program does not permit a reload by others; it follows its files, too")
            reply.outcome = reload(storage)
        case .check: reply.outcome = try check(request, storage)
        case .set, .unset: reply.outcome = try override(request, storage)
        case .watch: reply.error = "changes cannot be watched here"
        }
        return reply
    }

    func key(of request: InspectionRequest) throws(PrefsError) -> String {
        guard let key = request.key, !key.isEmpty else {
            throw PrefsError(.missing, reason: "expected a key to \(request.request.rawValue)")
        }
        return key
    }

    private func status(of storage: PrefsStack) -> InspectionReply.Status {
        let snapshot = storage.snapshot
        var status = InspectionReply.Status(
            domain: domain, pid: getpid(), program: CommandLine.arguments.first ?? "",
            generation: snapshot.generation, keys: names(in: snapshot).count,
            rejected: rejectedKeys(of: storage).map(\.key),
            locks: storage.locks.count,
            sources: storage.status.map(InspectionReply.Source.init))
        status.permits = permissions.names
        if storage.isInconsistent { status.isInconsistent = true }
        // Ask this after the sources. If it is false, the program has decided on everything that the sources show
        // as read.
        if storage.isDeciding { status.isDeciding = true }
        if status.sources.contains(where: { $0.problem != nil || $0.rejection != nil }) {
            status.restart = restart(of: storage)
        }
        return status
    }

    /// Returns the declared keys with a rejected value, in the active snapshot or in a newer revision.
    private func rejectedKeys(of storage: PrefsStack) -> [InspectionReply.RejectedKey] {
        rejectedKeys(in: storage.snapshot, and: problems(ofNewestIn: storage))
    }

    /// - Parameter problems: The problems of newer revisions.
    func rejectedKeys(
        in snapshot: PrefsSnapshot, and problems: [PrefsError] = []
    ) -> [InspectionReply.RejectedKey] {
        declared.all.compactMap { key in
            let newest = problems.filter { $0.key.flatMap(declared.holder)?.name == key.name }
            let reasons = snapshot.explanation(for: key).rejectedRows + newest.map { "\($0)" }
            return reasons.isEmpty ? nil : InspectionReply.RejectedKey(key: key.name, reasons: reasons)
        }.sorted { $0.key < $1.key }
    }

    /// Returns the problems that keep newer revisions from becoming active.
    private func problems(ofNewestIn storage: PrefsStack) -> [PrefsError] {
        storage.notActive.filter { $0.extent != .values }.flatMap(\.problems)
    }

    private func list(below prefix: String?, _ storage: PrefsStack) -> [InspectionReply.Key] {
        let (snapshot, held) = (storage.snapshot, storage.heldValues)
        let newest = problems(ofNewestIn: storage)
        return names(below: prefix, in: snapshot).map { name in
            let explanation = explain(name, snapshot)
            let value = held[name] ?? value(of: name, snapshot)
            let winner = explanation.winner
            var key = InspectionReply.Key(
                key: name, value: explanation.isSecret ? nil : value?.description,
                kind: value.map { $0.kind.rawValue },
                origin: held[name] == nil ? winner.map { "\($0.origin)" } : "the previous version",
                isSecret: explanation.isSecret, isDeclared: declared[name] != nil,
                lock: explanation.lock.map { "\($0.origin)" },
                rejected: explanation.rejectedRows + newest.filter { $0.key == name }.map { "\($0)" })
            key.text = explanation.isSecret ? nil : value?.plainText
            key.layer = winner?.origin.layer
            key.type = declared[name]?.storedType.description
            key.needsRestart = started[name].map { $0 != value }
            return key
        }
    }

    private func reads(of storage: PrefsStack) throws(PrefsError) -> InspectionReply.Reads {
        guard let reads = storage.reads else {
            throw PrefsError(
                .missing,
                reason: "the program does not record its reads; its code has to call storage.trackReads()")
        }
        let snapshot = storage.snapshot
        let keys = reads.keys.map { key in
            // The program may read a secret through a key that it did not declare as secret.
            let isSecret = explain(key.name, snapshot).isSecret
            return InspectionReply.Reads.Key(
                key: key.name, defaultValue: isSecret ? nil : key.defaultValue?.description,
                origin: key.origin.map { "\($0)" }, location: key.location)
        }
        return InspectionReply.Reads(keys: keys, unread: storage.unreadKeys)
    }

    private func explanation(
        of key: String, _ storage: PrefsStack
    ) -> InspectionReply.Explanation {
        let snapshot = storage.snapshot
        let explanation = explain(key, snapshot)
        var answer = InspectionReply.Explanation(
            key: explanation.key,
            rows: explanation.lines.map { line in
                InspectionReply.Explanation.Row(
                    layer: line.layer, value: explanation.isSecret ? nil : line.value.description,
                    place: line.place, role: line.role.verdict(of: explanation.key),
                    text: explanation.isSecret ? nil : line.value.plainText)
            },
            lock: explanation.lockRemark, isSecret: explanation.isSecret, isUntyped: explanation.isUntyped,
            declaration: declared[key].map { InspectionReply.Declaration($0, explanation.variables) })
        answer.note = declared.note(on: key)
        answer.broken = storage.status.compactMap(\.problem).map { "\($0)" }
        let rejected = storage.status.compactMap(InspectionReply.Rejection.init).withoutRepetitions
        if !rejected.isEmpty || answer.broken != [] {
            let (next, present) = (storage.restarted(), storage.heldValues[key] ?? value(of: key, snapshot))
            let places = explanation.rows.map(\.origin)
            let own = rejected.compactMap { $0.concerning(key, from: places) }
            answer.rejections = own.isEmpty && value(of: key, next.read) != present ? rejected : own
            if answer.rejections != [] || answer.broken != [] {
                answer.restart = restart(with: next, of: key, present)
            }
        }
        return answer
    }

    /// Returns the effective value of a key. A declared key is resolved by its type; any other key has its topmost
    /// value.
    func value(of name: String, _ snapshot: PrefsSnapshot) -> PrefsValue? {
        guard let key = declared[name] else { return snapshot.resolution(forKey: name).value }
        return key.value(in: snapshot)
    }

    func explain(_ name: String, _ snapshot: PrefsSnapshot) -> PrefsExplanation {
        var explanation =
            declared[name].map { snapshot.explanation(for: $0) } ?? snapshot.explanation(forKey: name)
        if secrets.touch(name, explanation.rows.map(\.value)) { explanation.isSecret = true }
        return explanation
    }

    /// Returns the declared keys and all other keys that are set, each with its full path, sorted.
    func names(in snapshot: PrefsSnapshot) -> [String] {
        var names = Set(declared.all.map(\.name))
        for name in snapshot.keys {
            let path = PrefsPath.topLevel(name)
            insert(path, snapshot.resolution(forKey: path.name).value, into: &names)
        }
        return names.sorted()
    }

    /// Returns the names at and below a prefix. If there are none, returns the declared key that holds the
    /// prefix's value.
    private func names(below prefix: String?, in snapshot: PrefsSnapshot) -> [String] {
        guard let prefix else { return names(in: snapshot) }
        let names = names(in: snapshot).filter { $0 == prefix || $0.hasPrefix("\(prefix).") }
        return names.isEmpty ? [declared.holder(of: prefix)].compactMap { $0?.name } : names
    }

    private func insert(_ path: PrefsPath, _ value: PrefsValue?, into names: inout Set<String>) {
        guard declared[path.name] == nil, case .dictionary(let content)? = value, !content.isEmpty else {
            names.insert(path.name)
            return
        }
        for (key, value) in content { insert(path.appending(key), value, into: &names) }
    }

    /// Sends each change set until the client disconnects or reads too slowly.
    private func stream(_ write: (Data) -> Bool) -> Bool {
        var isConnected = true
        let isComplete = follow { reply in
            // Writing an empty line shows whether the client still exists.
            isConnected = write(reply.map(Self.encode) ?? Data())
            return isConnected
        }
        return isComplete && isConnected
            || isConnected && write(Self.failure("this client reads too slowly; changes were dropped"))
    }

    /// Calls `body` with the status, and then with each change set after the status's generation. If there is no
    /// change for some seconds, calls `body` with `nil`. Returns when `body` returns false.
    ///
    /// - Returns: False if `body` took so long that changes were dropped.
    @discardableResult
    package func follow(_ body: (InspectionReply?) -> Bool) -> Bool {
        guard let storage else { return true }
        let queue = WaitingChanges()
        let (declared, secrets) = (declared, secrets)
        let observations =
            declared.all.map { key in
                key.observe(in: storage) { queue.append(InspectionReply.Changes($0, secrets)) }
            } + [storage.observe { queue.append(InspectionReply.Changes($0, declared, secrets)) }]
        defer { for observation in observations { observation.cancel() } }
        guard body(InspectionReply(status: status(of: storage))) else { return true }
        while true {
            guard let sets = queue.next(seconds: 10) else { return false }
            if sets.isEmpty, !body(nil) { return true }
            for set in sets where !body(InspectionReply(changes: set)) { return true }
        }
    }

    private static func failure(_ reason: String) -> Data { encode(InspectionReply(error: reason)) }

    private static func encode(_ reply: InspectionReply) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(reply))
            ?? Data(#"{"version":1,"error":"not representable in JSON"}"#.utf8)
    }
}
