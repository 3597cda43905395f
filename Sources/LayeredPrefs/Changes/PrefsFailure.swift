package import PrefsDocuments

/// Handles errors in property setters and other calls that cannot throw.
package enum PrefsFailure {
    /// Runs `body` and reports an error it throws as a diagnostic.
    package static func reporting(key: String? = nil, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            PrefsDiagnostics.shared.report(.error, self.error(error, key: key))
        }
    }

    /// Returns a `PrefsError` for any error, with the key filled in if the error names none.
    package static func error(_ error: any Error, key: String?) -> PrefsError {
        var result = error as? PrefsError ?? PrefsError(.notEncodable, reason: "\(error)")
        result.key = result.key ?? key
        return result
    }
}
