public import LayeredPrefs
public import Logging

extension PrefsDiagnostics {
    /// Logs every diagnostic to a logger instead of standard error, until the observation is cancelled or
    /// released.
    ///
    /// ```swift
    /// var options = FilePrefsStorage.Options()
    /// options.diagnostics = .held()
    /// let storage = LayeredPrefsStorage.daemon("relay", options: options)
    /// LoggingSystem.bootstrap { label in storage.bindLogLevel(.level, to: StreamLogHandler.standardError(label: label)) }
    /// let logging = options.diagnostics.log(to: Logger(label: "relay"))
    /// ```
    ///
    /// The diagnostics of the storage's start, which come before any logger whose level the storage gives, are held until
    /// then: ``LayeredPrefs/PrefsDiagnostics/held()``.
    ///
    /// The message consists of the key and the problem; the location is metadata: `layer`, `place`, which is the file
    /// with line and column as editors understand it (`/etc/relay/relay.toml:3:1`), `key`, `spelling` if the layer spells the key differently, `code` of a problem, `errno` if a
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
        // A recovery is no problem of any kind.
        var metadata: Logger.Metadata = severity == .recovered ? [:] : ["code": "\(error.code)"]
        metadata["key"] = error.key.map { "\($0.printable)" }
        metadata["layer"] = error.origin?.layer.map { "\($0.printable)" }
        let place = [error.origin?.file, error.origin?.position?.description].compactMap(\.self)
        if !place.isEmpty { metadata["place"] = "\(place.joined(separator: ":").printable)" }
        metadata["errno"] = error.errno.map { "\($0)" }
        if let spelling = error.origin?.spelling, spelling != error.key {
            metadata["spelling"] = "\(spelling.printable)"
        }
        if !error.related.isEmpty {
            metadata["keys"] = .array(error.related.map { "\(($0.key ?? "").printable)" })
        }
        return metadata
    }
}
