import FileWatching
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// Compares a running process of a domain with the values that the tool finds in the files.
struct LiveComparison: Sendable {
    private let process: LiveProcess
    private let stack: Stack

    init(_ process: LiveProcess, _ stack: Stack) { (self.process, self.stack) = (process, stack) }

    private var name: String { "process \(process.client.socket.pid)" }

    /// Returns how the process differs from a value that the tool reports: the value that it uses, and the
    /// revisions that it rejects.
    func lines(about report: KeyReport) -> [String] {
        let key: InspectionReply.Key?
        do {
            // The process may not yet have noticed a change of a file.
            key = try settledKey(report)
        } catch let error as PrefsError where error.errno == ETIMEDOUT {
            return ["\(error)"]
        } catch {
            return []
        }
        guard let key else { return [] }
        let explanation = try? process.answer(InspectionRequest(.explain, key: report.key), \.explanation)
        let rejections = explanation?.rejectionLines ?? []
        guard !isSame(key, report) else { return rejections.map { "\(name): \($0)" } + restartLines([key]) }
        return [difference(key)] + rejections.map { "\(name): \($0)" }
    }

    /// Returns lines about keys whose values the process does not use. It may need a restart, or read something
    /// that the tool does not know, such as a variable.
    func remarks(on keys: [String]) throws -> [String] {
        let reports = try process.reports()
        return keys.flatMap { name in
            let report = stack.report(for: name, in: stack.storage.snapshot)
            if report.declared != nil, reports[name]?.isDeclared != true,
                let line = process.client.socket.deletionLine(about: name)
            {
                return [line]
            }
            guard let key = reports[name] else { return [String]() }
            return (isSame(key, report) ? [] : [difference(key)]) + restartLines([key])
        }
    }

    private func difference(_ key: InspectionReply.Key) -> String {
        let value = key.text.map(ShellWord.quoting) ?? "no value"
        return "\(name) uses \(value) (\(key.origin ?? "default"))"
    }

    private func restartLines(_ keys: [InspectionReply.Key?]) -> [String] {
        keys.compactMap(\.self).filter { $0.needsRestart == true }.map {
            "\($0.key): \(name) needs a restart to use the new value"
        }
    }

    /// Returns the process's value once it agrees with the tool's value, or after a short time.
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
    /// Returns true if the process reads a file, or would read it if it existed, as a drop-in beside one of its
    /// files.
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
    /// Returns the process's value of a key; `nil` if the process does not know the key.
    fileprivate func key(_ name: String) throws -> InspectionReply.Key? {
        try list(name).first { $0.key == name }
    }
}

extension InspectionReply.Key {
    /// Returns a text that is the same for all spellings of a value, such as `1500ms` and `1.5s`.
    ///
    /// - Parameter type: The key's type; `nil` for the type that the process declares.
    func comparable(as type: PrefsStoredType? = nil) -> String? {
        guard let text, let type = type ?? self.type.flatMap(PrefsStoredType.init(description:)) else {
            return self.text
        }
        return type.storedForm(ofText: text).map(type.comparable) ?? text
    }
}

extension Stack {
    /// Returns how the running processes of the domain differ from a value that the tool reports. Returns nothing
    /// if the command line names layers, because no process may use them.
    func processLines(about report: KeyReport) -> [String] {
        guard let domain, selection == nil, !isHypothetical else { return [] }
        return concurrently(LiveProcess.sockets(domain: domain)) { socket in
            LiveComparison(LiveProcess(socket, secondsToAnswer: 2), self).lines(about: report)
        }.flatMap(\.self)
    }
}
