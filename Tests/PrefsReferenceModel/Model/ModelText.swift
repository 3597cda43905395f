/// Text from an environment variable or the command line, parsed by the key's type: integers, reals,
/// `true/false/yes/no/on/off/1/0`, ISO 8601 dates, base64 data, comma-separated lists, JSON for dictionaries.
enum ModelText {
    /// Returns the parsed value; `nil` if the text does not parse, and then the candidate is rejected.
    static func parse(_ text: String, as type: ModelType, tally: ModelTally) -> ModelValue? {
        switch type {
        case .string, .any: .string(text)
        case .bool: bool(text).map { .bool($0) }
        case .integer: Int(text).map { .integer(Int128($0)) }
        case .real: real(text).map { .real($0) }
        case .data: base64(text).map { .data($0) }
        case .date: ModelDateText.parse(text).map { .date($0) }
        case .array(let element): list(text, of: element, tally: tally)
        case .dictionary, .structure: ModelJSON.parse(text).flatMap { $0.entries == nil ? nil : $0 }
        }
    }

    /// Rejects numbers that are too large, which Swift parses as infinity.
    private static func real(_ text: String) -> Double? {
        Double(text).flatMap { $0.isInfinite && text.contains(where: \.isNumber) ? nil : $0 }
    }

    private static func bool(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }

    /// Parses elements separated by commas, without the spaces around them; empty text is the empty list.
    private static func list(_ text: String, of type: ModelType, tally: ModelTally) -> ModelValue? {
        if text.isEmpty { return [] }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = parts.compactMap { parse(trimmed($0), as: type, tally: tally) }
        return values.count == parts.count ? .array(values) : nil
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    private static func base64(_ text: String) -> [UInt8]? {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let body = Array(text.reversed().drop { $0 == "=" }.reversed())
        guard text.count % 4 == 0, text.count - body.count <= 2 else { return nil }
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for character in body {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            (bits, count) = (bits << 6 | digit, count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
                bits &= (1 << count) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }
}

/// ISO 8601 dates of the form `2001-01-01T00:00:00Z`, optionally with a fraction of a second and an offset.
enum ModelDateText {
    /// Returns the date as seconds since 2001-01-01T00:00:00Z.
    static func parse(_ text: String) -> Double? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let (time, offset) = zone(parts[1]) else { return nil }
        let date = parts[0].split(separator: "-").map { Int($0) }
        let clock = time.split(separator: ":")
        guard date.count == 3, clock.count == 3, parts[0].count == 10,
            let year = date[0], let month = date[1], let day = date[2],
            (1...12).contains(month), (1...31).contains(day),
            let hour = Int(clock[0]), let minute = Int(clock[1]), let second = Double(clock[2]),
            (0...23).contains(hour), (0...59).contains(minute), (0..<60).contains(second)
        else { return nil }
        return Double(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 - offset) + second
    }

    private static func zone(_ text: Substring) -> (time: Substring, offset: Int)? {
        if text.last == "Z" { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { "+-".contains($0) }) else { return nil }
        let fields = text[text.index(after: sign)...].split(separator: ":").map { Int($0) }
        guard fields.count == 2, let hours = fields[0], let minutes = fields[1] else { return nil }
        return (text[..<sign], (text[sign] == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
    }

    /// Returns the days since 2001-01-01, counting one year and one month at a time.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        var days = day - 1
        for earlier in 1..<month {
            days += [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][earlier - 1]
        }
        if year >= 2001 {
            for past in 2001..<year { days += isLeap(past) ? 366 : 365 }
        } else {
            for coming in year..<2001 { days -= isLeap(coming) ? 366 : 365 }
        }
        return days
    }
}

/// A JSON parser for the values that JSON can express; a number without fraction and exponent is an integer,
/// and `null` does not parse.
struct ModelJSON {
    private var rest: Substring

    static func parse(_ text: String) -> ModelValue? {
        var parser = ModelJSON(rest: text[...])
        guard let value = parser.value() else { return nil }
        parser.skipBlanks()
        return parser.rest.isEmpty ? value : nil
    }

    private mutating func value() -> ModelValue? {
        skipBlanks()
        switch rest.first {
        case "{": return dictionary()
        case "[": return array()
        case "\"": return string().map { .string($0) }
        case "t": return take("true") ? true : nil
        case "f": return take("false") ? false : nil
        default: return number()
        }
    }

    private mutating func dictionary() -> ModelValue? {
        var entries: [String: ModelValue] = [:]
        rest.removeFirst()
        skipBlanks()
        if take("}") { return [:] }
        while true {
            skipBlanks()
            guard rest.first == "\"", let key = string() else { return nil }
            skipBlanks()
            guard take(":"), let value = value() else { return nil }
            entries[key] = value
            skipBlanks()
            if take("}") { return .dictionary(entries) }
            guard take(",") else { return nil }
        }
    }

    private mutating func array() -> ModelValue? {
        var elements: [ModelValue] = []
        rest.removeFirst()
        skipBlanks()
        if take("]") { return [] }
        while true {
            guard let value = value() else { return nil }
            elements.append(value)
            skipBlanks()
            if take("]") { return .array(elements) }
            guard take(",") else { return nil }
        }
    }

    private mutating func string() -> String? {
        var result = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            switch character {
            case "\"": return result
            case "\\":
                guard let escaped = rest.popFirst(), let meant = Self.escapes[escaped] else { return nil }
                result.append(meant)
            default: result.append(character)
            }
        }
        return nil
    }

    private static let escapes: [Character: Character] = [
        "\"": "\"", "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r",
    ]

    private mutating func number() -> ModelValue? {
        let digits = rest.prefix { "+-0123456789.eE".contains($0) }
        rest = rest.dropFirst(digits.count)
        if digits.contains(where: { ".eE".contains($0) }) { return Double(digits).map { .real($0) } }
        return Int128(digits).map { .integer($0) }
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.hasPrefix(text) else { return false }
        rest = rest.dropFirst(text.count)
        return true
    }

    private mutating func skipBlanks() { rest = rest.drop { " \n\t\r".contains($0) } }
}

/// The names of environment variables: `http.readTimeout` becomes `MYD_HTTP_READ_TIMEOUT`.
enum ModelEnvironment {
    static func name(of path: ModelPath, prefix: String) -> String {
        var result = prefix
        var last: Character = "_"
        for character in path.description {
            if character.isUppercase, last.isLowercase || last.isNumber { result.append("_") }
            result.append(character == "." || character == "-" ? "_" : Character(character.uppercased()))
            last = character
        }
        return result
    }

    /// Returns the keys without a variable, because a key that was declared earlier has the same one; each
    /// with that key.
    static func keysWithoutVariable(among keys: [ModelKey], prefix: String) -> [String: String] {
        var first: [String: String] = [:]
        var others: [String: String] = [:]
        for key in keys {
            let variable = name(of: key.path, prefix: prefix)
            if let first = first[variable] { others[key.name] = first } else { first[variable] = key.name }
        }
        return others
    }

    /// Returns the texts by variable. If several keys map to one variable, the first declared key with a text
    /// decides.
    static func variables(
        _ texts: [String: String], of keys: [ModelKey], prefix: String
    ) -> [String: String] {
        var variables: [String: String] = [:]
        for key in keys {
            let variable = name(of: key.path, prefix: prefix)
            variables[variable] = variables[variable] ?? texts[key.name]
        }
        return variables
    }
}
