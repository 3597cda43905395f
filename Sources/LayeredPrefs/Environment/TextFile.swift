import FileWatching
import PrefsDocuments
import PrefsFiles

/// One reading of a file whose whole contents are the text of one value, such as a mounted secret.
struct TextFile: Sendable {
    /// The text without one newline (LF or CRLF) at its end. If there is a problem, the last good text, or `nil`.
    var text: String?
    /// The reason why the text is not the text of the file.
    var problem: PrefsError?
    /// The version that was read; `nil` if it could not be read.
    private(set) var signature: FileSignature?
    /// True if the signature suffices to detect an edit. If false, the file must be read to detect one.
    private(set) var isSettled = false

    /// The size, owners and modes that a reader accepts.
    struct Limits: Sendable {
        /// The largest number of bytes.
        var fileSize = 1 << 20
        /// The accepted owners and modes.
        var policy = PrefsFilePolicy.any
    }

    /// Reads a file, unless it is certainly the version that was read last.
    ///
    /// - Parameter mayUse: Returns false for a version that is being written, and for a file that is missing
    ///   for a moment only. The result is then the last reading.
    /// - Returns: The reading, or `nil` if there is nothing at the path. If there is something else than a
    ///   file, the reading has a problem.
    static func read(
        _ path: String, after last: TextFile?, _ limits: Limits,
        mayUse: (FileSignature?, String) -> Bool = { _, _ in true }
    ) -> TextFile? {
        if let last, last.isSettled, let signature = last.signature, FileSignature(path: path) == signature {
            return last
        }
        let start = FileSignature.now
        do throws(PrefsError) {
            let file = try PrefsFileReader.read(
                path, limits: PrefsLimits(fileSize: limits.fileSize), policy: limits.policy)
            guard mayUse(file?.signature, path) else { return last }
            guard let file else { return nil }
            var result = TextFile(
                text: last?.text, signature: file.signature,
                isSettled: file.signature.showsChanges(since: start))
            if let text = String(validating: file.bytes, as: UTF8.self) {
                // CRLF is one character.
                result.text = ["\n", "\r\n"].contains(text.last) ? String(text.dropLast()) : text
            } else {
                result.problem = PrefsError(
                    .syntax, origin: PrefsOrigin(file: path), reason: "the file is not valid UTF-8")
            }
            return result
        } catch {
            return TextFile(text: last?.text, problem: error)
        }
    }

    /// Returns true if both readings give the same text, or no text for the same reason.
    static func giveSame(_ first: TextFile?, _ second: TextFile?) -> Bool {
        guard (first?.text).hasSameBytes(as: second?.text) else { return false }
        return first?.text != nil || first?.problem == second?.problem
    }
}
