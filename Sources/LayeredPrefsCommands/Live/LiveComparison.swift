import FileWatching
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The only running process of a domain, compared with what the tool finds in the files.
///
/// Nothing is compared if no process or several processes answer, or if one does not answer at once.
struct LiveComparison {
    private let process: LiveProcess
    private let stack: Stack

    /// Finds the process; `nil` for layers that the command line names, because they may be of no process.
    init?(_ stack: Stack) {
        guard let domain = stack.domain, stack.selection == nil, !stack.isHypothetical else { return nil }
        let sockets = LiveProcess.sockets(domain: domain)
        guard sockets.count == 1, let socket = sockets.first else { return nil }
        process = LiveProcess(socket, secondsToAnswer: 2)
        self.stack = stack
    }

    private var name: String { "process \(process.client.socket.pid)" }

    /// Returns what differs from a value that the tool reports: the process's value, and what it refuses.
    func lines(about report: KeyReport) -> [String] {
        // A file system's change may be on its way to the process.
        guard let key = try? settledKey(report) else { return [] }
        let explanation = try? process.answer(InspectionRequest(.explain, key: report.key), \.explanation)
        let refusals = explanation?.refusalLines ?? []
        guard !isSame(key, report) else { return refusals.map { "\(name): \($0)" } + restartLines([key]) }
        let value = key.text.map(ShellWord.quoting) ?? "no value"
        return ["\(name) uses \(value) (\(key.origin ?? "default"))"] + refusals.map { "\(name): \($0)" }
    }

    /// Waits until the process has read a file that was written, and returns what it makes of it, if it does not
    /// use it.
    ///
    /// - Parameter time: The time to wait, after which a process that has not read the file yet is named. With `nil`, it is
    ///   not: it is about to, as another process's may be that writes the file at the same time.
    func lines(afterWriting file: String, key: String?, waiting time: Duration?) -> [String] {
        let deadline = ContinuousClock.now + (time ?? Self.patience)
        let written = Double(FileSignature(path: file)?.changed ?? 0) / 1e9
        var loaded = 0
        while true {
            guard let status = try? process.status() else { return [] }
            guard let source = status.sources.first(where: { $0.file == file }) else {
                if status.reads(file), ContinuousClock.now < deadline {
                    usleep(20_000)
                    continue
                }
                return ["\(name) does not read \(file)"]
            }
            let isLate = ContinuousClock.now >= deadline
            let isBehind = source.isBehind == true
            // A refusal from before the write may be about to end, or concern another key.
            if let refusal = source.refusal, refusal.since >= written || isLate && !isBehind {
                return refusal.lines.map { "\(name): \($0)" }
            }
            if !isBehind {
                if let problem = source.problem { return ["\(name): \(problem)"] }
                loaded += 1
                // It decides on a version after it has read it.
                if loaded > 3, key.map(agrees) ?? (source.refusal == nil) { return restartLines(below: key) }
            }
            guard !isLate else {
                if isBehind { return time == nil ? [] : ["\(name) has not loaded \(file) yet"] }
                return key.map { lines(about: stack.report(for: $0, in: stack.storage.snapshot)) } ?? []
            }
            usleep(20_000)
        }
    }

    private static let patience = Duration.seconds(2)

    /// Returns true if the process uses the tool's value of a key, and refuses none.
    private func agrees(on name: String) -> Bool {
        guard let key = try? process.key(name), refusals(about: name).isEmpty else { return false }
        return isSame(key, stack.report(for: name, in: stack.storage.snapshot))
    }

    private func refusals(about key: String) -> [InspectionReply.Refusal] {
        (try? process.answer(InspectionRequest(.explain, key: key), \.explanation))?.refusals ?? []
    }

    /// Returns a line for each key at or below a name, or each of all, whose value the process does not use before a
    /// restart.
    private func restartLines(below key: String?) -> [String] { restartLines((try? process.list(key)) ?? []) }

    private func restartLines(_ keys: [InspectionReply.Key?]) -> [String] {
        keys.compactMap(\.self).filter { $0.needsRestart == true }.map {
            "\($0.key): \(name) needs a restart to use the new value"
        }
    }

    /// Returns the process's value once it agrees with the tool's, or after some time.
    private func settledKey(_ report: KeyReport) throws -> InspectionReply.Key? {
        var key = try process.key(report.key)
        for _ in 0..<10 {
            guard let present = key, !isSame(present, report),
                try process.status().sources.contains(where: { $0.isBehind == true })
            else { break }
            usleep(20_000)
            key = try process.key(report.key)
        }
        return key
    }

    private func isSame(_ key: InspectionReply.Key, _ report: KeyReport) -> Bool {
        if key.isSecret || report.isSecret { return true }
        // Without a schema, the tool does not know the program's defaults.
        if report.declared == nil, report.value == nil, key.origin == nil { return true }
        let type = report.declared?.storedType ?? key.type.flatMap(PrefsStoredType.init(description:))
        return key.comparable(as: type).hasSameBytes(
            as: report.value.map { type?.comparable($0) ?? $0.plainText })
    }
}

extension InspectionReply.Status {
    /// Returns true if the process reads a file, or would if it existed: a drop-in beside one of its files.
    func reads(_ file: String) -> Bool {
        let files = sources.compactMap(\.file)
        guard !files.contains(file), let slash = file.lastIndex(of: "/") else { return true }
        let folder = file[..<slash]
        let stems = files.compactMap(PrefsFileFormat.stem).filter { folder.hasPrefix("\($0).") }
        return stems.contains { stem in
            PrefsFileFormat.extensions.contains { folder == "\(stem).\($0).d" }
        }
    }

    /// The names of the layers with sources, lowest first.
    var layers: [String] {
        var seen: Set<String> = []
        return sources.compactMap { $0.layer.map(InspectionReply.layer) }.filter { seen.insert($0).inserted }
    }
}

extension InspectionReply {
    /// Returns the name of the stack's own layer that contains a layer.
    static func layer(_ name: String) -> String {
        name.split(separator: ".", maxSplits: 1).first.map(String.init) ?? name
    }
}

extension LiveProcess {
    /// Returns the process's value of a key; `nil` if it knows none.
    fileprivate func key(_ name: String) throws -> InspectionReply.Key? {
        try list(name).first { $0.key == name }
    }
}

extension InspectionReply.Key {
    /// Returns a text that is the same for two spellings of one value, such as `1500ms` and `1.5s`.
    ///
    /// - Parameter type: The key's type; `nil` for the one that the process declares.
    func comparable(as type: PrefsStoredType? = nil) -> String? {
        guard let text, let type = type ?? self.type.flatMap(PrefsStoredType.init(description:)) else {
            return self.text
        }
        return type.storedForm(ofText: text).map(type.comparable) ?? text
    }
}

extension Stack {
    /// Prints what the running process of the domain makes of a file that was written, if it does not use it.
    ///
    /// - Parameter time: The time for which it may take until it has loaded the file; `nil` if that is of no concern.
    func warnOfProcess(afterWriting file: String?, key: String? = nil, waiting time: Duration?) {
        guard let file, let comparison = LiveComparison(self) else { return }
        for line in comparison.lines(afterWriting: file, key: key, waiting: time) {
            Output.warn("\(line)")
        }
    }
}
