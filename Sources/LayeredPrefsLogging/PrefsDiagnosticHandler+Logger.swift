public import LayeredPrefs
public import Logging

extension PrefsDiagnosticHandler {
    /// Logs every diagnostic to a logger instead of standard error, until you cancel or release the observation.
    ///
    /// ```swift
    /// var options = FilePrefsStorage.Options()
    /// options.diagnostics = .held()
    /// let storage = PrefsStack.daemon("relay", options: options)
    /// LoggingSystem.bootstrap { label in storage.bindLogLevel(.level, to: StreamLogHandler.standardError(label: label)) }
    /// let logging = options.diagnostics.log(to: Logger(label: "relay"))
    /// ```
    ///
    /// If a setting determines the logger's level, the stack starts before there is a logger.
    /// ``LayeredPrefs/PrefsDiagnosticHandler/held()`` holds the diagnostics of the start until you call this
    /// method.
    ///
    /// The message consists of the key and the problem. The metadata gives the location and details:
    ///
    /// - `layer`: the layer.
    /// - `place`: the file with line and column, as editors understand it (`/etc/relay/relay.toml:3:1`).
    /// - `key`: the key, and `spelling` if the layer spells the key differently.
    /// - `code`: the code of a problem, and `errno` if a system call failed.
    /// - `keys`: the other keys that are involved, if any.
    ///
    /// None of these contain secret values. Control characters are escaped in all of them.
    ///
    /// - Parameters:
    ///   - logger: The logger. It is called on the thread that found the problem.
    ///   - level: Returns the level of a diagnostic; by default ``PrefsDiagnostic/logLevel``.
    public func log(
        to logger: Logger, at level: @escaping @Sendable (PrefsDiagnostic) -> Logger.Level = \.logLevel
    ) -> PrefsObservation {
        subscribe { logger.log($0, at: level($0)) }
    }

    /// Returns a diagnostic handler for a storage's options. It logs to a logger for as long as it exists.
    ///
    /// ```swift
    /// var options = FilePrefsStorage.Options()
    /// options.diagnostics = .logging(to: Logger(label: "com.example.myd.prefs"))
    /// let storage = PrefsStack.standard(domain: "com.example.myd", options: options)
    /// ```
    public static func logging(to logger: Logger) -> PrefsDiagnosticHandler {
        PrefsDiagnosticHandler { logger.log($0, at: $0.logLevel) }
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
    /// The log level for this diagnostic's severity.
    ///
    /// It is `error` if a file or value is not effective because of the problem, `warning` if you should fix the
    /// problem, and `notice` for a recovery, which ends an alarm.
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
        // A recovery has no code, because it is not a problem.
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
