/// Parts of an XML property list for a sample file, whose entries are commented out.
package enum XMLSample {
    /// Returns a key's element.
    package static func key(_ key: String) throws(PrefsError) -> String {
        var writer = XMLWriter()
        try writer.writeText("key", key)
        return String(decoding: writer.output, as: UTF8.self)
    }

    /// Returns a dictionary's entry for use inside a comment; `indent` begins each of its lines.
    ///
    /// Once the comment's marks are removed, the entry reads as the value.
    package static func entry(
        _ key: String, _ value: PrefsValue, indent: String
    ) throws(PrefsError) -> String {
        var writer = XMLWriter(style: TextLayout.Style(unit: "    "), isInComment: true)
        writer.write(indent)
        try writer.write(key: key, value, indent: indent)
        return String(decoding: writer.output, as: UTF8.self)
    }

    /// Returns the text of a comment, with consecutive hyphens separated by spaces.
    package static func comment(_ text: String) -> String {
        var result = ""
        for character in text {
            if character == "-", result.last == "-" { result += " " }
            result.append(character)
        }
        return result
    }
}
