import PrefsDocuments
import TestSupport

/// Files of random entries as a person might write them, in any spelling that the format allows.
struct RandomText {
    private var generator: SeededGenerator
    private var names = 0
    private var comments = 0
    /// The names of anchors of mappings, and of other values.
    private var anchors: (mappings: [String], scalars: [String]) = ([], [])

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func file(as format: PrefsFileFormat) -> String {
        names = 0
        anchors = ([], [])
        switch format {
        case .xmlPropertyList: return xml()
        case .json: return chance(6) ? json(depth: 0) + "\n" : json(depth: 0)
        case .yaml: return yaml()
        default:
            var toml = RandomTOML(seed: generator.next())
            return toml.file()
        }
    }

    private mutating func number(_ bound: Int) -> Int { .random(in: 0..<bound, using: &generator) }

    /// Returns true once in `count` times.
    private mutating func chance(_ count: Int) -> Bool { number(count) == 0 }

    private mutating func pick(_ texts: [String]) -> String { texts[number(texts.count)] }

    private mutating func name() -> String {
        names += 1
        return pick(["k", "key", "Name", "é", "x-y", "a.b"]) + "\(names)"
    }

    private mutating func comment() -> String {
        comments += 1
        return "comment \(comments)"
    }
}

extension RandomText {
    private mutating func xml() -> String {
        let head = pick([
            "", "<?xml version=\"1.0\"?>\n", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- top -->\n",
        ])
        let newline = pick(["\n", "\n", "\r\n", ""])
        let unit = newline.isEmpty ? "" : pick(["\t", "  ", ""])
        return head + "<plist version=\"1.0\">\(newline)"
            + dict(indent: "", unit: unit, newline: newline, depth: 0) + "\(newline)</plist>" + newline
    }

    private mutating func dict(indent: String, unit: String, newline: String, depth: Int) -> String {
        var text = "<dict>" + newline
        let inner = indent + unit
        for _ in 0..<1 + number(6) {
            if chance(4) { text += inner + "<!-- \(comment()) -->" + newline }
            let key = pick([
                "<key>\(name())</key>", "<key>a&amp;\(name())</key>", "<key><![CDATA[\(name())]]></key>",
            ])
            let gap = pick([newline + inner, newline + inner, ""])
            text +=
                inner + key + gap + xmlValue(indent: inner, unit: unit, newline: newline, depth: depth + 1)
                + newline
        }
        return text + indent + "</dict>"
    }

    private mutating func xmlValue(indent: String, unit: String, newline: String, depth: Int) -> String {
        switch number(depth > 3 ? 7 : 10) {
        case 0: return "<string>text &lt;\(number(99))&gt; &#233;</string>"
        case 1: return pick(["<integer>0x1F</integer>", "<integer> -7 </integer>", "<integer>+12</integer>"])
        case 2: return pick(["<real>1e3</real>", "<real>-0.5</real>", "<real>inf</real>"])
        case 3: return pick(["<true/>", "<false/>", "<true></true>", "<false />"])
        case 4: return "<date>2001-01-0\(1 + number(9))T00:00:00Z</date>"
        case 5: return "<data>\(newline)\(indent)AAEC\(newline)\(indent)</data>"
        case 6: return pick(["<string/>", "<string></string>", "<string><![CDATA[<x>]]></string>"])
        case 7: return "<array><integer>1</integer> <string>b</string><!-- in --></array>"
        default: return dict(indent: indent, unit: unit, newline: newline, depth: depth)
        }
    }

    private mutating func json(depth: Int) -> String {
        let isBroken = !chance(3)
        let indent = String(repeating: "  ", count: depth)
        var members: [String] = []
        for _ in 0..<1 + number(6) {
            let name = pick(["\"\(name())\"", "\"\\u00e9\(name())\"", "\"a\\/\(name())\""])
            members.append(name + pick([": ", ":", " : "]) + jsonValue(depth: depth + 1))
        }
        guard isBroken else { return "{" + members.joined(separator: pick([",", ", "])) + "}" }
        return "{\n\(indent)  " + members.joined(separator: ",\n\(indent)  ") + "\n\(indent)}"
    }

    private mutating func jsonValue(depth: Int) -> String {
        switch number(depth > 3 ? 5 : 8) {
        case 0: "\"text \(number(99)) \\n\\u0041\""
        case 1: pick(["-0", "12", "18446744073709551615"])
        case 2: pick(["1.0e3", "-0.5", "1E-2"])
        case 3: pick(["true", "false"])
        case 4: pick(["[]", "[ 1, 2 ]", "[\"a\", [true]]", "{}", "\"\""])
        default: json(depth: depth)
        }
    }
}

extension RandomText {
    private mutating func yaml() -> String {
        let unit = 1 + number(4)
        var text = pick(["", "", "---\n", "%YAML 1.2\n--- # start\n", "# top\n\n"])
        text += mapping(indent: 0, unit: unit, depth: 0)
        if chance(5) { text += "# \(comment())\n" }
        if chance(6) { text += "...\n" }
        if chance(6) {
            text = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        }
        return text
    }

    private mutating func mapping(indent: Int, unit: Int, depth: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var text = ""
        if depth > 0, !anchors.mappings.isEmpty, chance(4) {
            let alias = "*\(pick(anchors.mappings))"
            text += "\(margin)<<: \(pick([alias, "[\(alias)]"]))\n"
        }
        for _ in 0..<1 + number(5) {
            if chance(4) { text += "\(margin)# \(comment())\n" }
            if chance(8) { text += "\n" }
            let name = pick([
                name(), "\"\(name())\"", "'it''s \(name())'", "\"\\u00e9\(name())\"", "\(name()) x",
            ])
            text +=
                margin + name + pick([":", ":", " :"]) + value(indent: indent, unit: unit, depth: depth + 1)
        }
        return text
    }

    /// Returns the text after the colon, and the end of the line.
    private mutating func value(indent: Int, unit: Int, depth: Int) -> String {
        let margin = String(repeating: " ", count: indent + unit)
        let end = chance(4) ? " # \(comment())\n" : "\n"
        switch number(depth > 3 ? 8 : 12) {
        case 0, 1: return " " + scalar() + end
        case 2:
            let name = "v\(names)"
            anchors.scalars.append(name)
            return " &\(name) " + scalar() + end
        case 3 where !anchors.scalars.isEmpty: return " *\(pick(anchors.scalars))" + end
        case 4:
            return " \(pick(["|", "|-", ">", "|+", ">-"]))\(end)\(margin)one\n\(margin) two # no comment\n"
                + (chance(2) ? "\n" : "")
        case 5: return " one\n\(margin)two" + end
        case 6: return " " + flow(depth: depth) + end
        case 7: return " [1, # \(comment())\n\(margin) two,\n\(margin) {a: b}]" + end
        case 8: return end + sequence(indent: indent + (chance(2) ? 0 : unit), depth: depth)
        case 9 where !anchors.mappings.isEmpty: return " *\(pick(anchors.mappings))" + end
        case 10:
            let name = "m\(names)"
            let inner = mapping(indent: indent + unit, unit: unit, depth: depth)
            anchors.mappings.append(name)
            return " &\(name)" + end + inner
        default: return end + mapping(indent: indent + unit, unit: unit, depth: depth)
        }
    }

    private mutating func sequence(indent: Int, depth: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var text = ""
        for _ in 0..<1 + number(3) {
            if chance(4) { text += "\(margin)# \(comment())\n" }
            switch number(4) {
            case 0: text += "\(margin)- \(name()): 1\n\(margin)  \(name()): \(scalar())\n"
            case 1: text += "\(margin)- - a\n\(margin)  - \(scalar())\n"
            default: text += "\(margin)- \(scalar())\n"
            }
        }
        return text
    }

    private mutating func scalar() -> String {
        pick([
            "0o17", "0x1F", "-7", "1.5e3", ".inf", "true", "False", "no", "12:30", "plain text",
            "http://x/#y",
            "'it''s # x'", "\"\\u00e9\\n # \"", "''", "2001-01-01", "é", "a,b",
        ])
    }

    private mutating func flow(depth: Int) -> String {
        switch number(depth > 4 ? 3 : 5) {
        case 0: "[]"
        case 1: "{}"
        case 2: "[a, 'b', {c: 1}]"
        case 3: "{\(name()): \(flow(depth: depth + 1)), \"\(name())\": 2,}"
        default: "{ \(name()): x y, \(name()): {\(name()): 'z', \(name()): 1} }"
        }
    }
}
