public import LayeredPrefs
public import Logging

extension PrefsDiagnostics {
    /// Logs every diagnostic to a logger instead of standard error, until the observation is cancelled or
    /// released.
    ///
    /// ```swift
    /// let logging = PrefsDiagnostics.shared.log(to: Logger(label: "com.example.myd.prefs"))
    /// let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
    /// ```
    ///
    /// Call this before creating the storage; otherwise diagnostics of its files at start go to standard
    /// error. A storage that reports to diagnostics other than ``shared`` receives them in its options.
    ///
    /// The message consists of the key and the problem; the location is metadata: `layer`, `file`, `line`,
    /// `column` (or `byte`), `key`, `spelling` if the layer spells the key differently, `code`, `errno` if a
    /// system call failed, and `keys` if other keys are involved. None of these contain secret values, and control
    /// characters in any of them are escaped.
    ///
    /// - Parameters:
    ///   - logger: The logger, which is called on the thread that found the problem.
    ///   - level: Returns the level of a diagnostic; by default ``PrefsDiagnostic/logLevel``.
    public func log(
        to logger: Logger, at level: @escaping @Sendable (PrefsDiagnostic) -> Logger.Level = \.logLevel
    ) -> PrefsObservation {
        subscribe { logger.log($0, at: level($0)) }
    }

    /// Returns diagnostics that are logged to a logger for as long as they exist, for use in a storage's
    /// options.
    ///
    /// ```swift
    /// var options = FilePrefsStorage.Options()
    /// options.diagnostics = .logging(to: Logger(label: "com.example.myd.prefs"))
    /// let storage = LayeredPrefsStorage.standard(domain: "com.example.myd", options: options)
    /// ```
    public static func logging(to logger: Logger) -> PrefsDiagnostics {
        PrefsDiagnostics { logger.log($0, at: $0.logLevel) }
    }
}

extension Logger {
    fileprivate func log(_ diagnostic: PrefsDiagnostic, at level: Level) {
        log(
            level: level, "\(diagnostic.logMessage)", metadata: diagnostic.logMetadata, source: "LayeredPrefs"
        )
    }
}

extension PrefsDiagnostic {
    /// The log level that corresponds to the severity: `error` if a file or value is not effective because of
    /// the problem, `warning` if the problem should be fixed, `notice` for a recovery, which ends an alarm.
    public var logLevel: Logger.Level {
        switch severity {
        case .error: .error
        case .warning: .warning
        case .recovered: .notice
        }
    }

    fileprivate var logMessage: String {
        [error.key, error.reason].compactMap(\.self).joined(separator: ": ").printable
    }

    fileprivate var logMetadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["code": "\(error.code)"]
        metadata["key"] = error.key.map { "\($0.printable)" }
        metadata["layer"] = error.origin?.layer.map { "\($0.printable)" }
        metadata["file"] = error.origin?.file.map { "\($0.printable)" }
        metadata["errno"] = error.errno.map { "\($0)" }
        if let spelling = error.origin?.spelling, spelling != error.key {
            metadata["spelling"] = "\(spelling.printable)"
        }
        switch error.origin?.position {
        case .line(let line, let column):
            metadata["line"] = "\(line)"
            metadata["column"] = column.map { "\($0)" }
        case .byte(let offset): metadata["byte"] = "\(offset)"
        case nil: break
        }
        if !error.related.isEmpty {
            metadata["keys"] = .array(error.related.map { "\(($0.key ?? "").printable)" })
        }
        return metadata
    }
}
