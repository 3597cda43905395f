/// The rule that gives each key exactly one environment variable.
package enum EnvironmentName {
    /// `com.example.myd` → `MYD_`.
    package static func prefix(forDomain domain: String) -> String {
        let name = domain.split(separator: ".").last.map(String.init) ?? domain
        return screaming(name) + "_"
    }

    /// `http.readTimeout` → `HTTP_READ_TIMEOUT`, after the prefix.
    package static func name(forKey key: String, prefix: String) -> String {
        prefix + key.split(separator: ".").map { screaming(String($0)) }.joined(separator: "_")
    }

    /// Words apart at a change from small to capital letter (`readTimeout`) and before the last capital of
    /// an acronym (`HTTPPort` → `HTTP_PORT`); what is neither letter nor digit becomes an underscore.
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
