import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

extension LiveProcess {
    /// Prints the state of the process's sources and its problems. Returns the exit code.
    func printDoctor(json: Bool) throws -> ExitCode? {
        let status = try status()
        let rejectedKeys = try answer(InspectionRequest(.rejected), \.rejectedKeys)
        let drift = try drift(environment: nil)
        let undeclared = try undeclared()
        if json {
            Output.print(status.doctorJSON(client.socket, rejectedKeys, drift, undeclared))
        } else {
            status.print(client.socket, rejectedKeys, drift, undeclared, .output)
        }
        if !status.problems.isEmpty { return CommandStatus.broken }
        let isRight =
            rejectedKeys.isEmpty && status.rejectionLines.isEmpty && drift.failures.isEmpty
            && undeclared.isEmpty && client.socket.deletedProgram == nil
        return isRight ? nil : CommandStatus.failed
    }

    /// Returns the keys that are set but not declared by the program, each with a line about it. Returns none if
    /// the program declares no keys.
    private func undeclared() throws -> [UndeclaredKey] {
        let keys = try list(nil)
        let declared = keys.filter(\.isDeclared).map(\.key)
        if declared.isEmpty { return [] }
        let unknown = keys.filter { key in
            // An empty table around declared keys is a section.
            !key.isDeclared && !declared.contains { key.key.isBelow($0) }
                && !(key.kind == PrefsValue.Kind.dictionary.rawValue
                    && declared.contains { $0.isBelow(key.key) })
        }
        return unknown.map { key in
            let place = [key.origin, key.key].compactMap(\.self).joined(separator: ": ")
            let hint = SpellingSuggestion.hint(SpellingSuggestion.nearest(to: key.key, among: declared))
            return (key.key, "\(place): unknown key\(hint)")
        }
    }
}

/// A key that is set but not declared by the program, and a line about it.
private typealias UndeclaredKey = (key: String, line: String)

extension InspectionReply.Status {
    /// The rejected revisions of the sources.
    var rejections: [InspectionReply.Rejection] { sources.compactMap(\.rejection).withoutRepetitions }

    /// Lines about the problems of rejected revisions and of the program's state, about their number, and about
    /// the effect of a restart.
    var rejectionLines: [String] {
        let rejected = rejections.flatMap(\.lines)
        let state =
            isInconsistent == true
            ? ["inconsistent: the program has failed to apply the active settings, and may use others"] : []
        guard let restart else { return rejected + state }
        let count = rejected.count + problems.count
        return rejected + state + ["\(count.counted("problem")); \(restart)"]
    }

    /// Returns true if a rejection has the same reason.
    private func isRejected(_ reason: String) -> Bool {
        rejections.contains { $0.problems.contains { $0.text == reason } }
    }

    fileprivate func print(
        _ socket: InspectionSocket, _ rejectedKeys: [InspectionReply.RejectedKey],
        _ drift: [InspectionReply.Drift], _ undeclared: [UndeclaredKey], _ style: Style
    ) {
        Output.print(style("Process \(pid) of \(domain), generation \(generation)", .bold))
        Output.print(style("Sources", .bold))
        var table = Table()
        for source in sources {
            let state =
                source.problem != nil
                ? "broken"
                : source.rejection != nil ? "rejected" : source.isBehind == true ? "not yet loaded" : "ok"
            table.add(
                .init(source.layer ?? "configuration"), .init(source.file ?? ""),
                .init(state, state == "ok" ? .green : .red), .init(source.engine ?? "", .dim))
        }
        table.print(asPart: true)
        Output.print("\(keys.counted("key")), \(locks.counted("lock"))")
        if !drift.failures.isEmpty {
            Output.print("A restart would fail; 'prefs drift --pid \(pid)' says why")
        } else if !drift.isEmpty {
            Output.print(
                "A restart would change \(drift.count.counted("key")); 'prefs drift --pid \(pid)' lists them")
        }
        let problems =
            sources.compactMap(\.problem) + rejectionLines
            + rejectedKeys.flatMap(\.reasons).filter { !isRejected($0) }
            + (restart == nil ? drift.failures : []) + undeclared.map(\.line)
            + [socket.deletionLine].compactMap(\.self)
        if problems.isEmpty { return Output.print(style("No problems found.", .green)) }
        Output.print(style("Problems", .bold))
        for problem in problems { Output.print("  \(style(problem, .red))") }
    }

    fileprivate func doctorJSON(
        _ socket: InspectionSocket, _ rejectedKeys: [InspectionReply.RejectedKey],
        _ drift: [InspectionReply.Drift], _ undeclared: [UndeclaredKey]
    ) -> OrderedJSON {
        .object([
            ("process", json(of: socket)),
            ("rejected", .array(rejectedKeys.map(\.json))),
            ("drift", .array(drift.map { .string($0.key) })),
            ("undeclared", .array(undeclared.map { .string($0.key) })),
        ])
    }
}

extension [InspectionReply.Drift] {
    /// The problems that would make a restart fail.
    fileprivate var failures: [String] { filter { $0.reason == .fails }.map(\.explanation) }
}

extension InspectionReply.RejectedKey {
    fileprivate var json: OrderedJSON {
        .object([("key", .string(key)), ("reasons", .array(reasons.map { .string($0) }))])
    }
}
