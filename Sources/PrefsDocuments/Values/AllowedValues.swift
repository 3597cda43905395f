extension [PrefsValue] {
    /// The values as a message lists them: `one of "debug", "info"`; of a long list, only the beginning.
    package var oneOf: String {
        let shown = prefix(20).map(\.description).joined(separator: ", ")
        return "one of \(shown)" + (count > 20 ? " and \(count - 20) more" : "")
    }

    /// Returns the text among the values that is most similar to `value`; `nil` if `value` is not a text, or if
    /// no text is similar.
    package func nearest(to value: PrefsValue) -> String? {
        guard case .string(let text) = value else { return nil }
        let texts = compactMap { if case .string(let text) = $0 { text } else { nil } }
        return SpellingSuggestion.nearest(to: text, among: texts)
    }
}
