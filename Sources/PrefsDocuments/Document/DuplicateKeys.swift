/// Duplicate keys in dictionaries. Published files contain them, so they only cause a warning, and the last entry
/// wins.
struct DuplicateKeys {
    /// The first few pairs. A file full of duplicates must not produce a list that is just as long.
    private var pairs: [Pair] = []
    private var count = 0

    struct Pair {
        var earlier: DocumentNode
        var later: DocumentNode
    }

    mutating func note(_ pair: Pair) {
        count += 1
        if pairs.count < PrefsLimits.reports { pairs.append(pair) }
    }

    func warnings(in text: DocumentText, path: String?) -> [PrefsError] {
        guard count > 0 else { return [] }
        var lines = LineTable()
        let warnings = pairs.map { pair in
            PrefsError(
                .syntax,
                key: text.shownKey(of: pair.later),
                origin: PrefsOrigin(
                    file: path, position: text.position(of: pair.place(in: text), &lines)),
                reason: pair.reason(in: text, &lines, ending: "the last definition wins"))
        }
        guard count > pairs.count else { return warnings }
        let rest = PrefsError(
            .syntax, origin: PrefsOrigin(file: path),
            reason: "… and \(count - pairs.count) more duplicate keys")
        return warnings + [rest]
    }
}

extension DuplicateKeys.Pair {
    func place(in text: DocumentText) -> Int { Self.place(of: later, in: text) }

    private static func place(of node: DocumentNode, in text: DocumentText) -> Int {
        if text.format == .yaml { return text.entryStart(of: node) }
        return Int(node.flags.contains(.identifierKey) ? node.start : node.keyStart)
    }

    func reason(in text: DocumentText, ending: String) -> String {
        var lines = LineTable()
        return reason(in: text, &lines, ending: ending)
    }

    fileprivate func reason(in text: DocumentText, _ lines: inout LineTable, ending: String) -> String {
        let first =
            switch text.position(of: Self.place(of: earlier, in: text), &lines) {
            case .line(let line, _): "on line \(line)"
            case .byte(let offset): "at byte \(offset)"
            }
        let spelling = text.key(of: earlier).hasSameBytes(as: text.key(of: later)) ? "" : other
        return "duplicate key “\(text.shownKey(of: later))” (first defined \(first)\(spelling)); \(ending)"
    }

    private var other: String { ", in other but canonically equivalent Unicode characters" }
}

extension DocumentText {
    /// Returns the key for a message, truncated if it is very long.
    func shownKey(of node: DocumentNode) -> String {
        let key = key(of: node)
        return key.utf8.count <= 200 ? key : key.prefix(60) + "…"
    }
}
