package import PrefsDocuments
/// Failures that a property setter, or another call that cannot throw, meets.
package enum PrefsFailure {
    /// Runs `body` and reports what it throws as a diagnostic.
    package static func reporting(key: String? = nil, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            PrefsDiagnostics.shared.report(.error, self.error(error, key: key))
        }
    }

    /// A `PrefsError` for any error, with the key filled in where it names none.
    package static func error(_ error: any Error, key: String?) -> PrefsError {
        var result = error as? PrefsError ?? PrefsError(.notEncodable, reason: "\(error)")
        result.key = result.key ?? key
        return result
    }
}
