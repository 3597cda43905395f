package import PrefsDocuments
package import PrefsSystem

extension Errno {
    /// The public error for this `errno`: the file, what was being done, and the system's sentence.
    package func error(_ kind: PrefsError.Code, _ path: String, _ doing: String) -> PrefsError {
        PrefsError(kind, origin: PrefsOrigin(file: path), errno: code, reason: "\(doing): \(text)")
    }
}
