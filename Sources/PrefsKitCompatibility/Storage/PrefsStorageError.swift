public import Foundation

/// An error of PrefsKit's imports and exports.
///
/// If a file cannot be parsed or written, ``PrefsError`` is thrown instead. It names the file, the line and the key.
public enum PrefsStorageError: LocalizedError, Hashable, Sendable {
    /// The storage does not support exporting its contents.
    case contentExportingNotSupported
    /// The storage does not support importing contents.
    case contentLoadingNotSupported
    /// The contents could not be exported as JSON.
    case jsonExportError
    /// The top level of the JSON is not an object.
    case jsonFormatNotSupported
    /// The storage does not support importing JSON.
    case jsonLoadingNotSupported
    /// The storage does not support exporting JSON.
    case jsonWritingNotSupported
    /// The contents could not be exported as a property list.
    case plistExportError
    /// The storage does not support importing property lists.
    case plistLoadingNotSupported
    /// The storage does not support exporting property lists.
    case plistWritingNotSupported

    /// The problem as a sentence.
    public var errorDescription: String? {
        switch self {
        case .contentExportingNotSupported: "This storage does not support exporting its contents."
        case .contentLoadingNotSupported: "This storage does not support importing contents."
        case .jsonExportError: "The contents cannot be exported as JSON: a value has no JSON form."
        case .jsonFormatNotSupported: "The JSON cannot be imported: its top level is not an object."
        case .jsonLoadingNotSupported: "This storage does not support importing JSON."
        case .jsonWritingNotSupported: "This storage does not support exporting JSON."
        case .plistExportError: "The contents cannot be exported as a property list."
        case .plistLoadingNotSupported: "This storage does not support importing property lists."
        case .plistWritingNotSupported: "This storage does not support exporting property lists."
        }
    }
}
