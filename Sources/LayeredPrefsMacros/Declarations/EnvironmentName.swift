/// The rule that maps each key to exactly one environment variable. It is a copy of the library's rule.
enum EnvironmentName {
    /// Returns the variable of a key without the program's prefix: `http.readTimeout` → `HTTP_READ_TIMEOUT`.
    static func name(forKey key: String) -> String {
        key.split(separator: ".").map { screaming(String($0)) }.joined(separator: "_")
    }

    private static func screaming(_ name: String) -> String {
        let characters = Array(name)
        var result = ""
        for (index, character) in characters.enumerated() {
            guard character.isASCII, character.isLetter || character.isNumber else {
                result += "_"
                continue
            }
            if index > 0, startsWord(characters, at: index) { result += "_" }
            result += character.uppercased()
        }
        return result
    }

    private static func startsWord(_ characters: [Character], at index: Int) -> Bool {
        let previous = characters[index - 1]
        guard characters[index].isUppercase, previous.isLetter || previous.isNumber else { return false }
        if !previous.isUppercase { return true }
        return index + 1 < characters.count && characters[index + 1].isLowercase
    }
}
