import LayeredPrefs
import PrefsSystem

/// Creates a folder that only this user can enter, and returns its path.
///
/// - Parameters:
///   - prefix: The beginning of the folder's name.
///   - variable: The environment variable that names the parent folder. If it is unset or empty, the parent folder
///     is `/tmp`.
///   - reason: The reason in the error if the folder cannot be created.
func makePrivateFolder(
    _ prefix: String, inFolderOf variable: String, orThrow reason: String
) throws(PrefsError) -> String {
    let base = environmentVariable(variable) ?? "/tmp"
    var template = Array("\(base)/\(prefix).XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
        let code = errno
        throw PrefsError(.unwritable, origin: PrefsOrigin(file: base), errno: code, reason: reason)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
