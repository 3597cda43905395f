import ArgumentParser
import FileWatching
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The answer of a running process to a change of a file.
enum ProcessAnswer: Sendable {
    /// The process uses the change. The lines name values that it does not use, and the reason: another layer
    /// overrides them, or they need a restart.
    case active([String])
    /// The process rejected the change for these reasons.
    case rejected([String])
    /// The process did not answer, read the file or decide in time.
    case undecided(String, isAnswering: Bool)
    /// The process does not read the file.
    case other(String)

    var isOfOther: Bool { if case .other = self { true } else { false } }

    /// The lines for a command that does not wait. They leave out a process that is about to read the file:
    /// somebody else may be writing the file at the same time.
    var warnings: [String] {
        switch self {
        case .active(let lines), .rejected(let lines): lines
        case .undecided(let line, let isAnswering): isAnswering ? [] : [line]
        case .other(let line): [line]
        }
    }

    /// Prints the lines for a command that waits.
    func print() {
        switch self {
        case .active(let lines): for line in lines { Output.warn("\(line)") }
        case .rejected(let lines): for line in lines { Output.complain("prefs: \(line)") }
        case .undecided(let line, _), .other(let line): Output.complain("prefs: \(line)")
        }
    }

    /// Asks all processes at the same time. Processes that do not read the file are named only if no process reads
    /// it.
    ///
    /// - Parameter time: The time that the processes have to decide; `nil` for a short default.
    static func all(to change: FileChange, in stack: Stack, waiting time: Duration?) -> [ProcessAnswer] {
        guard stack.selection == nil, !stack.isHypothetical, stack.domain != nil || time != nil else {
            return []
        }
        let sockets = LiveProcess.sockets(domain: stack.domain)
        if sockets.isEmpty { return [] }
        let question = ProcessQuestion(change, stack, deadline: .now + (time ?? LiveProcess.patience))
        let answers = concurrently(sockets) { question.answer(of: $0) }
        let readers = answers.filter { !$0.isOfOther }
        // If the command line names the layers, perhaps no process uses them.
        return readers.isEmpty && stack.domain != nil ? answers : readers
    }
}

extension [ProcessAnswer] {
    /// The exit code of a command that waits; `nil` if every process uses the change.
    var status: ExitCode? {
        if contains(where: { if case .rejected = $0 { true } else { false } }) {
            return CommandStatus.rejectedByProcess
        }
        if contains(where: { if case .undecided = $0 { true } else { false } }) {
            return CommandStatus.undecided
        }
        return nil
    }
}

/// Asks a process until it has decided on a change.
private struct ProcessQuestion: Sendable {
    private let change: FileChange
    private let stack: Stack
    private let deadline: ContinuousClock.Instant
    /// The time of the file's newest revision, in seconds since 1970.
    private let written: Double

    init(_ change: FileChange, _ stack: Stack, deadline: ContinuousClock.Instant) {
        (self.change, self.stack, self.deadline) = (change, stack, deadline)
        written = Double(FileSignature(path: change.file)?.changed ?? 0) / 1e9
    }

    private var isLate: Bool { ContinuousClock.now >= deadline }

    func answer(of socket: InspectionSocket) -> ProcessAnswer {
        let process = LiveProcess(socket, secondsToAnswer: 2)
        let name = "process \(socket.pid)"
        while true {
            // Look at the clock before asking, so that the process is asked once more after the deadline.
            let isLate = isLate
            do {
                if let answer = try answer(of: process, name, isLate: isLate) { return answer }
            } catch {
                // Waiting for this answer may have used up the time.
                if self.isLate || !socket.isOfRunningProcess {
                    return .undecided("\(error)", isAnswering: false)
                }
            }
            usleep(20_000)
        }
    }

    /// Returns the answer of a process; `nil` if it has not decided and there is still time.
    private func answer(of process: LiveProcess, _ name: String, isLate: Bool) throws -> ProcessAnswer? {
        let status = try process.status()
        let file = change.file
        guard let source = status.sources.first(where: { $0.file == file }) else {
            // The process may be about to read a new drop-in.
            return status.reads(file) && !isLate ? nil : .other("\(name) does not read \(file)")
        }
        let isBehind = source.isBehind == true
        let isDeciding = status.isDeciding == true
        let evidence = try evidence(of: process)
        if let lines = evidence.rejections { return .rejected(lines.map { "\(name): \($0)" }) }
        let isSettled = !isBehind && !isDeciding && source.problem == nil && source.rejection == nil
        if evidence.isComplete, isSettled || !change.values.isEmpty {
            return .active(try remarks(of: process))
        }
        // A rejection from before the write may be about to end, or may be about another key.
        if let rejection = source.rejection, rejection.since >= written || isLate && !isBehind && !isDeciding
        {
            return .rejected(rejection.lines.map { "\(name): \($0)" })
        }
        if !isBehind, let problem = source.problem { return .rejected(["\(name): \(problem)"]) }
        guard isLate else { return nil }
        let line =
            isBehind
            ? "\(name) has not loaded \(file) yet"
            : isDeciding
                ? "\(name) has not accepted or rejected \(file) yet"
                : "\(name) has loaded \(file), but does not use it"
        return .undecided(line, isAnswering: true)
    }

    /// The traces of the change in the process's active contents.
    private struct Evidence {
        /// True if the process has every value, or every key lock, of the change.
        var isComplete = true
        /// The reasons why values of the change are rejected; `nil` if none is.
        var rejections: [String]?
    }

    private func evidence(of process: LiveProcess) throws -> Evidence {
        var evidence = Evidence()
        if !change.locked.isEmpty || !change.unlocked.isEmpty {
            evidence.isComplete = try process.list(nil).allSatisfy(agrees)
        }
        for (key, value) in try unproven(by: process) {
            let explanation = try process.answer(InspectionRequest(.explain, key: key), \.explanation)
            let rejections = (explanation.rejections ?? []).filter { $0.since >= written }
            if !rejections.isEmpty {
                return Evidence(isComplete: false, rejections: rejections.flatMap(\.lines))
            }
            let rows = explanation.rows.filter { $0.isPlaced(in: change.file) }
            let row = rows.first { value != nil && ($0.text ?? value?.plainText) == value?.plainText }
            if let row, row.role.hasPrefix("rejected") {
                return Evidence(isComplete: false, rejections: ["\(row.place): \(key): \(row.role)"])
            }
            if value == nil ? !rows.isEmpty : row == nil { evidence.isComplete = false }
        }
        return evidence
    }

    /// Returns true if the key's lock in the process agrees with the change.
    private func agrees(_ report: InspectionReply.Key) -> Bool {
        if change.locks.contains(where: report.key.isBelow) {
            return report.lock != nil || !change.locked.contains(where: report.key.isBelow)
        }
        let isUnlocked = change.unlocked.contains(where: report.key.isBelow)
        return !isUnlocked || report.lock?.contains(" \(change.file):") != true
    }

    /// Returns the values that the process may not use. Usually most values are effective, and one request settles
    /// all of those.
    private func unproven(by process: LiveProcess) throws -> [FileChange.Value] {
        guard change.values.count > 1 else { return change.values }
        let reports = try process.reports()
        return change.values.filter { key, value in
            guard let value, let report = reports[key] else { return true }
            let isPlaced = report.origin?.contains(" \(change.file):") == true && report.rejected.isEmpty
            return !isPlaced || report.text != value.plainText
        }
    }

    /// Returns lines about the values that the process has loaded but does not use.
    private func remarks(of process: LiveProcess) throws -> [String] {
        try LiveComparison(process, stack).remarks(on: change.values.map(\.key))
    }
}

extension LiveProcess {
    /// Returns the process's keys by name.
    func reports() throws -> [String: InspectionReply.Key] {
        Dictionary(try list(nil).map { ($0.key, $0) }) { first, _ in first }
    }
}

extension InspectionReply.Explanation.Row {
    /// Returns true if the value is in a file.
    fileprivate func isPlaced(in file: String) -> Bool { place == file || place.hasPrefix("\(file):") }
}
