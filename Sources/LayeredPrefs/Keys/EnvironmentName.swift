import PrefsDocuments

/// The mapping from keys to environment variables; each key has exactly one variable.
package enum EnvironmentName {
    /// Returns the prefix of a domain's variables: `MYD_` for `com.example.myd`.
    package static func prefix(forDomain domain: String) -> String {
        let name = domain.split(separator: ".").last.map(String.init) ?? domain
        return self.name(forKey: name, prefix: "") + "_"
    }

    /// Returns the variable of a key: `MYD_HTTP_READ_TIMEOUT` for `http.readTimeout` and the prefix `MYD_`.
    ///
    /// Components become capital letters with underscores between words. A word begins at a change from a small
    /// to a capital letter (`readTimeout` → `READ_TIMEOUT`) and before the last capital of an acronym
    /// (`HTTPPort` → `HTTP_PORT`). Characters other than ASCII letters and digits become underscores.
    package static func name(forKey key: String, prefix: String) -> String {
        // The quotes of a path are not part of its components.
        let key = key.utf8.contains(quote) ? PrefsPath(key).components.joined(separator: ".") : key
        // One underscore per character, not per byte. We look for a carriage return because `\r\n` is one
        // character.
        if key.utf8.contains(where: { $0 >= 0x80 || $0 == 13 }) {
            let letters = key.map(letter)
            return name(letters.span, prefix)
        }
        return name(key.utf8Span.span, prefix)
    }

    private static func name(_ letters: Span<UInt8>, _ prefix: String) -> String {
        let start = prefix.utf8.count
        // At most one underscore precedes each letter.
        return unsafe String(unsafeUninitializedCapacity: start + 2 * letters.count) { result in
            var end = unsafe result.initialize(fromContentsOf: prefix.utf8)
            for index in letters.indices where letters[index] != dot {
                let startsComponent = index == 0 || letters[index - 1] == dot
                if startsComponent ? end > start : startsWord(letters, at: index) {
                    unsafe result[end] = underscore
                    end += 1
                }
                let letter = letters[index]
                unsafe result[end] = letter.isWord ? letter.uppercased : underscore
                end += 1
            }
            return end
        }
    }

    private static let underscore = UInt8(ascii: "_")
    private static let dot = UInt8(ascii: ".")
    private static let quote = UInt8(ascii: "\"")

    private static func letter(_ character: Character) -> UInt8 { character.asciiValue ?? underscore }

    private static func startsWord(_ letters: Span<UInt8>, at index: Int) -> Bool {
        let previous = letters[index - 1]
        guard letters[index].isUppercase, previous.isWord else { return false }
        if !previous.isUppercase { return true }
        return index + 1 < letters.count && letters[index + 1].isLowercase
    }
}

extension UInt8 {
    fileprivate var isUppercase: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    fileprivate var isLowercase: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    fileprivate var isWord: Bool { isUppercase || isLowercase || (0x30...0x39).contains(self) }
    fileprivate var uppercased: UInt8 { isLowercase ? self - 32 : self }
}
