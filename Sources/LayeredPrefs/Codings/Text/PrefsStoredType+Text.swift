import FoundationEssentials
import PrefsDocuments

extension PrefsStoredType {
    /// Parses a text as the part at a path of a value of this type. For example, `features.x=true` sets the
    /// boolean `x` of a dictionary.
    ///
    /// - Returns: The text itself if it is not a value of the part's type, or if there can be no such part. The
    ///   type then rejects the text, and the message tells the expected form.
    func storedForm(ofText text: String, at path: ArraySlice<String>) -> PrefsValue {
        guard let name = path.first else { return storedForm(ofText: text) ?? .string(text) }
        switch self {
        case .dictionary(let value): return value.storedForm(ofText: text, at: path.dropFirst())
        case .structure(let fields, _):
            let type = fields.first { $0.name == name }?.type ?? .any
            return type.storedForm(ofText: text, at: path.dropFirst())
        default: return Self.any.storedForm(ofText: text) ?? .string(text)
        }
    }

    private func storedForm(ofText text: String) -> PrefsValue? {
        switch self {
        case .string: .string(text)
        case .bool: Bool.storedForm(ofText: text)
        case .integer: Int.storedForm(ofText: text)
        case .real: Double.storedForm(ofText: text)
        case .data: Data.storedForm(ofText: text)
        case .date: Date.storedForm(ofText: text)
        case .duration, .byteCount: PrefsText.integer(text).map(PrefsValue.integer)
        case .array(let element):
            PrefsText.list(
                text, element: { element.storedForm(ofText: $0) ?? .string($0) }, accepts: element.mayBe)
        case .dictionary(let value):
            PrefsText.dictionary(
                text, value: { value.storedForm(ofText: $0) ?? .string($0) }, accepts: value.mayBe)
        case .structure, .any: PrefsText.json(text)
        }
    }

    /// Returns false for a string that stands for a value of another type, as in JSON.
    private func mayBe(_ value: PrefsValue) -> Bool {
        guard case .string = value else { return true }
        switch self {
        case .string, .duration, .byteCount, .any: return true
        case .bool, .integer, .real, .data, .date, .array, .dictionary, .structure: return false
        }
    }
}
