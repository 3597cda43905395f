import PrefsDocuments
import TestSupport

/// Files of pairs, dotted keys, headers, braces and arrays of tables, with unique names.
struct RandomTOML {
    private var generator: SeededGenerator
    private var count = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func number(below bound: Int) -> Int { .random(in: 0..<bound, using: &generator) }

    private mutating func name() -> String {
        count += 1
        return number(below: 6) == 0 ? "\"k.\(count)\"" : "k\(count)"
    }

    private mutating func value(depth: Int = 0) -> String {
        switch number(below: depth > 2 ? 6 : 9) {
        case 0: "0x1F"
        case 1: "'text # \(number(below: 9))'"
        case 2: "\"\\u00e9\\n\""
        case 3: "1979-05-27T07:32:00-08:00"
        case 4: "1_000.5"
        case 5: "true"
        case 6: "[\(value(depth: depth + 1)), \(value(depth: depth + 1)),]"
        case 7: "{}"
        default:
            "{ \(name()) = \(value(depth: depth + 1)), \(name()).\(name()) = \(value(depth: depth + 1)) }"
        }
    }

    private mutating func pairs(_ text: inout String) {
        for _ in 0..<number(below: 4) {
            if number(below: 3) == 0 {
                let prefix = name()
                for _ in 0...number(below: 3) { text += "\(prefix).\(name()) = \(value()) # c\n" }
            } else {
                text += "\(name())   =\t\(value()) # c\n"
            }
            if number(below: 4) == 0 { text += "# comment \(number(below: 1000))\n\n" }
        }
    }

    mutating func file() -> String {
        count = 0
        var text = ""
        pairs(&text)
        var headers: [String] = []
        for _ in 0..<number(below: 5) {
            let outer =
                headers.isEmpty || number(below: 2) == 0 ? "" : headers[number(below: headers.count)] + "."
            if outer.isEmpty, number(below: 4) == 0 {
                let list = name()
                for _ in 0...number(below: 2) {
                    text += "[[\(list)]]\n"
                    pairs(&text)
                }
                continue
            }
            let header = outer + (number(below: 3) == 0 ? "\(name())." : "") + name()
            headers.append(header)
            text += "\n# about \(header)\n[\(header)]\n"
            pairs(&text)
        }
        return text
    }

    /// Returns an edit of a random path: another value, a removal, or a new key beside it.
    mutating func edit(of content: [String: PrefsValue]) -> PrefsDocument.Edit {
        var path: [String] = []
        var table = content
        while let key = table.keys.sorted().randomElement(using: &generator) {
            path.append(key)
            guard case .dictionary(let inner)? = table[key], number(below: 3) > 0 else { break }
            table = inner
        }
        let values: [PrefsValue] = [7, "new", ["x": 1, "y": ["z": 2]], [["a": 1]], [:], [1, "b"]]
        let value = values[number(below: values.count)]
        if path.isEmpty || number(below: 3) == 0 {
            return .set(path.dropLast() + ["new key"], to: value)
        }
        return number(below: 2) == 0 ? .remove(path) : .set(path, to: value)
    }
}
