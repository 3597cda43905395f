public import LayeredPrefs
public import Logging

extension PrefsDiagnostics {
    /// Sends every diagnostic to a logger, and none to standard error, until the observation is cancelled or
    /// released.
    ///
    /// ```swift
    /// let logging = PrefsDiagnostics.shared.log(to: Logger(label: "com.example.myd.prefs"))
    /// let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
    /// ```
    ///
    /// Subscribe before the storage is made, or what is wrong with its files at start goes to standard error.
    /// A storage that reports elsewhere than to ``shared`` is given those diagnostics in its options.
    ///
    /// The message is the key and what is wrong with it; where it is wrong is metadata: `layer`, `file`,
    /// `line`, `column` (or `byte`), `key`, `spelling` where the layer spells the key otherwise, `code`, and
    /// `errno` where a system call failed. Secret values are in none of these.
    ///
    /// - Parameters:
    ///   - logger: Where to log; called on the thread that found the problem.
    ///   - level: The level of a diagnostic: by default ``PrefsDiagnostic/logLevel``.
    public func log(
        to logger: Logger, at level: @escaping @Sendable (PrefsDiagnostic) -> Logger.Level = \.logLevel
    ) -> PrefsObservation {
        subscribe { logger.log($0, at: level($0)) }
    }

    /// Diagnostics that go to a logger for as long as they live, to be given to a storage's options.
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
    /// The level that makes sense of it: `error` for a file or value that is not in force because of it,
    /// `warning` for what is worth mending, `notice` for what recovered, which ends an alarm.
    public var logLevel: Logger.Level {
        switch severity {
        case .error: .error
        case .warning: .warning
        case .recovered: .notice
        }
    }

    fileprivate var logMessage: String {
        [error.key, error.reason].compactMap(\.self).joined(separator: ": ")
    }

    fileprivate var logMetadata: Logger.Metadata {
        var metadata: Logger.Metadata = ["code": "\(error.code)"]
        metadata["key"] = error.key.map { "\($0)" }
        metadata["layer"] = error.origin?.layer.map { "\($0)" }
        metadata["file"] = error.origin?.file.map { "\($0)" }
        metadata["errno"] = error.errno.map { "\($0)" }
        if let spelling = error.origin?.spelling, spelling != error.key {
            metadata["spelling"] = "\(spelling)"
        }
        switch error.origin?.position {
        case .line(let line, let column):
            metadata["line"] = "\(line)"
            metadata["column"] = column.map { "\($0)" }
        case .byte(let offset): metadata["byte"] = "\(offset)"
        case nil: break
        }
        if !error.related.isEmpty { metadata["keys"] = .array(error.related.map { "\($0.key ?? "")" }) }
        return metadata
    }
}
