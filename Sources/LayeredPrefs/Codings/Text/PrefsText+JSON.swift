import PrefsDocuments

extension PrefsText {
    /// Returns the value of a JSON text, or `nil` if it is not valid.
    ///
    /// As in a JSON file, the spelling of a number determines its type: `1` is an integer, `1.0` and `1e0`
    /// are reals.
    static func json(_ text: String) -> PrefsValue? {
        try? PrefsDocument(parsing: text, as: .json, root: nil).root.value
    }
}
