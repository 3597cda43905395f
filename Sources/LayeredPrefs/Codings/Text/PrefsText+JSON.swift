import PrefsDocuments
extension PrefsText {
    /// The value of a JSON text, or `nil` when it is none.
    ///
    /// As in a JSON file, the spelling of a number says what it is: `1` is an integer, `1.0` and `1e0` are
    /// reals. Foundation's decoder takes each for the other, so the text is read here.
    static func json(_ text: String) -> PrefsValue? {
        var reader = JSONTextReader(text)
        return reader.wholeText()
    }
}
