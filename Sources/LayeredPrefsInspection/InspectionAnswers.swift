import Dispatch
import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// Answers requests from a stack's current snapshot.
final class InspectionAnswers: Sendable {
    private weak let storage: LayeredPrefsStorage?
    private let domain: String
    private let keys: [PrefsKeyDescription]
    private let declared: [String: PrefsKeyDescription]

    init(storage: LayeredPrefsStorage, domain: String, keys: [PrefsKeyDescription]) {
        self.storage = storage
        self.domain = domain
        self.keys = keys
        declared = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Answers one line; returns false if the connection has ended.
    func answer(_ line: [UInt8], _ write: (Data) -> Bool) -> Bool {
        guard let request = try? JSONDecoder().decode(InspectionRequest.self, from: Data(line)) else {
            return write(Self.failure("expected a request such as {\"request\":\"status\"}"))
        }
        guard let storage else { return write(Self.failure("the process has released its preferences")) }
        if request.request == .watch { return stream(changesOf: storage, write) }
        return write(Self.encode(reply(to: request, storage)))
    }

    private func reply(to request: InspectionRequest, _ storage: LayeredPrefsStorage) -> InspectionReply {
        var reply = InspectionReply()
        switch request.request {
        case .status: reply.status = status(of: storage)
        case .list: reply.keys = list(below: request.key, storage)
        case .explain:
            if let key = request.key {
                reply.explanation = explanation(of: key, storage)
            } else {
                reply.error = "expected a key to explain"
            }
        case .locks:
            reply.locks = storage.locks.map { InspectionReply.Lock(key: $0.key, origin: "\($0.origin)") }
        case .watch: break
        }
        return reply
    }

    private func status(of storage: LayeredPrefsStorage) -> InspectionReply.Status {
        let snapshot = storage.snapshot
        return InspectionReply.Status(
            domain: domain, pid: getpid(), program: CommandLine.arguments.first ?? "",
            generation: snapshot.generation, keys: names(in: snapshot).count,
            rejected: keys.filter { !snapshot.explanation(for: $0).rejections.isEmpty }.map(\.name).sorted(),
            locks: storage.locks.count,
            sources: storage.status.map { source in
                InspectionReply.Source(
                    layer: source.layer, file: source.file, problem: source.problem?.description,
                    generation: source.generation,
                    secondsSinceRead: source.age.map { $0 / .seconds(1) },
                    engine: source.engine.map { "\($0)" })
            })
    }

    private func list(below prefix: String?, _ storage: LayeredPrefsStorage) -> [InspectionReply.Key] {
        let snapshot = storage.snapshot
        let names = names(in: snapshot).filter { name in
            prefix.map { name == $0 || name.hasPrefix("\($0).") } ?? true
        }
        return names.map { name in
            let explanation = explain(name, snapshot)
            let line = explanation.lines.first { $0.role == .winner }
            let winner = explanation.rows.first { $0.role == .winner }
            return InspectionReply.Key(
                key: name, value: explanation.isSecret ? nil : line?.value.description,
                kind: line.map { $0.value.kind.rawValue }, origin: winner.map { "\($0.origin)" },
                isSecret: explanation.isSecret, isDeclared: declared[name] != nil,
                lock: explanation.lock.map { "\($0.origin)" }, rejected: explanation.rejections)
        }
    }

    private func explanation(
        of key: String, _ storage: LayeredPrefsStorage
    ) -> InspectionReply.Explanation {
        let explanation = explain(key, storage.snapshot)
        return InspectionReply.Explanation(
            key: explanation.key,
            rows: explanation.lines.map { line in
                InspectionReply.Explanation.Row(
                    layer: line.layer, value: explanation.isSecret ? nil : line.value.description,
                    place: line.place, role: line.role.verdict)
            },
            lock: explanation.lockRemark, isSecret: explanation.isSecret, isUntyped: explanation.isUntyped)
    }

    private func explain(_ name: String, _ snapshot: PrefsSnapshot) -> PrefsExplanation {
        declared[name].map { snapshot.explanation(for: $0) } ?? snapshot.explanation(forKey: name)
    }

    /// The declared keys and the others that are set, each with its full path, sorted.
    private func names(in snapshot: PrefsSnapshot) -> [String] {
        var names = Set(keys.map(\.name))
        for name in snapshot.keys {
            insert(name, snapshot.resolution(forKey: name).value, into: &names)
        }
        return names.sorted()
    }

    private func insert(_ name: String, _ value: PrefsValue?, into names: inout Set<String>) {
        guard declared[name] == nil, case .dictionary(let content)? = value, !content.isEmpty else {
            names.insert(name)
            return
        }
        for (key, value) in content { insert("\(name).\(key)", value, into: &names) }
    }

    /// Sends each change set until the client disconnects or reads too slowly.
    private func stream(changesOf storage: LayeredPrefsStorage, _ write: (Data) -> Bool) -> Bool {
        let queue = Backlog()
        let observation = storage.observe { queue.append($0) }
        defer { observation.cancel() }
        // The first line tells the client from which generation the changes start.
        guard write(Self.encode(InspectionReply(status: status(of: storage)))) else { return false }
        while true {
            guard let sets = queue.next(seconds: 10) else {
                return write(Self.failure("this client reads too slowly; changes were dropped"))
            }
            // An empty line shows whether the client still exists.
            if sets.isEmpty, !write(Data()) { return false }
            for set in sets where !write(Self.encode(InspectionReply(set))) { return false }
        }
    }

    private static func failure(_ reason: String) -> Data {
        var reply = InspectionReply()
        reply.error = reason
        return encode(reply)
    }

    private static func encode(_ reply: InspectionReply) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(reply))
            ?? Data(#"{"version":1,"error":"not representable in JSON"}"#.utf8)
    }

    /// Change sets that wait for a client.
    private final class Backlog: Sendable {
        private struct State {
            var sets: [PrefsChangeSet] = []
            var hasOverflowed = false
        }

        private static let limit = 1024
        private let state = Lock(State())
        private let semaphore = DispatchSemaphore(value: 0)

        func append(_ set: PrefsChangeSet) {
            state.withLock { state in
                if state.sets.count < Self.limit {
                    state.sets.append(set)
                } else {
                    state.hasOverflowed = true
                }
            }
            semaphore.signal()
        }

        /// Returns the waiting change sets, none after the time given, and `nil` if some were dropped.
        func next(seconds: Int) -> [PrefsChangeSet]? {
            _ = semaphore.wait(timeout: .now() + .seconds(seconds))
            return state.withLock { state in
                defer { state.sets = [] }
                return state.hasOverflowed ? nil : state.sets
            }
        }
    }
}

extension InspectionReply {
    init(status: Status) { self.status = status }

    init(_ set: PrefsChangeSet) {
        changes = Changes(
            generation: set.generation, cause: set.cause.rawValue, changes: set.changes.map(\.description),
            shadowed: set.shadowed)
    }
}

extension PrefsExplanation {
    /// The reasons of the rejected rows, with the file and line of each.
    var rejections: [String] {
        rows.compactMap { row in
            if case .rejected(let error) = row.role { error.description } else { nil }
        }
    }
}
