package import PrefsDocuments
package import PrefsSystem

extension Errno {
    /// The public error for this `errno`: the file, the action that failed, and the system's sentence.
    package func error(_ kind: PrefsError.Code, _ path: String, _ doing: String) -> PrefsError {
        PrefsError(kind, origin: PrefsOrigin(file: path), errno: code, reason: "\(doing): \(text)")
    }
}

extension PrefsError {
    /// Runs system calls and reports their `errno` as an error of the file.
    static func reporting<Value: ~Copyable>(
        _ kind: Code, _ path: String, _ doing: String, _ body: () throws(Errno) -> Value
    ) throws(PrefsError) -> Value {
        do {
            return try body()
        } catch let error {
            throw error.error(kind, path, doing)
        }
    }
}
