import LayeredPrefs
import PrefsDocuments

extension PrefsInspection {
    /// Returns the changes that a restart would make to the running processes of a domain, as `prefs drift` shows them.
    ///
    /// There is one line for each key, with the active value, the value after a restart, and the reason. A program
    /// that is called with `--check-config` can print the lines. `ExecReload=` then shows in the journal how the
    /// files change the program:
    ///
    /// ```swift
    /// if let status = storage.checkConfiguration(Prefs.keys) {
    ///     PrefsInspection.restartChanges(domain: "com.example.myd").forEach { print($0) }
    ///     exit(status)
    /// }
    /// ```
    ///
    /// Each process reads its own files, with its own variables. The lines contain no secrets. If a process does
    /// not answer, one line gives the reason. If no process is running, there are no lines.
    ///
    /// - Parameters:
    ///   - domain: The domain that the processes serve inspection for.
    ///   - folder: The folder for the sockets of all domains, as the processes pass it to `serveInspection`.
    public static func restartChanges(domain: String, in folder: String? = nil) -> [String] {
        InspectionFolder.sockets(in: folder ?? InspectionFolder.standard, domain: domain).flatMap { socket in
            do {
                let drift = try InspectionClient(socket).ask(InspectionRequest(.drift)).drift ?? []
                return drift.map { "process \(socket.pid): \($0.line)".printable }
            } catch {
                return ["\(error)".printable]
            }
        }
    }
}

extension InspectionReply.Drift {
    fileprivate var line: String {
        let values = isSecret ? "a secret" : "\(running ?? "none") → \(restarted ?? "none")"
        return "\(key): \(values) (\(explanation))"
    }
}
