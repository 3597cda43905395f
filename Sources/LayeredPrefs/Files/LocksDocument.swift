package import PrefsDocuments

/// The contents of a locks file: one key or prefix per line. `#` begins a comment.
///
/// A lock that is misread would lock nothing, and nobody would notice. So the syntax is strict: a line that
/// the parser does not understand makes the whole file a problem, and the keys of its layer are locked until
/// the file is fixed. Lines end with LF, CR or CRLF. A byte order mark at the beginning is ignored.
///
/// | line                        | locks                                                              |
/// |-----------------------------|--------------------------------------------------------------------|
/// | `http.port`                 | `http.port` and everything below it                                |
/// | `http.*`, `http.`, `http.*.`| `http` and everything below it                                     |
/// | `  telemetry  # a comment`  | `telemetry`                                                        |
/// | `routes."example.com"`      | `example.com` in `routes`; quotes as in TOML                       |
/// | `http port`, `*.port`, `a..b`, a control character, bytes that are not UTF-8 | a problem         |
package struct LocksDocument: Sendable, Equatable {
    /// A line that locks a key.
    package struct Entry: Sendable, Hashable {
        /// The locked key, without a trailing wildcard.
        package let key: String
        /// The number of the line, from 1.
        package let line: Int
    }

    /// The keys of all lines that could be understood.
    package private(set) var entries: [Entry] = []
    /// The fault of the first line that could not be understood.
    package private(set) var problem: PrefsError?

    /// Parses the contents of the file at `path`. An invalid line does not affect the other lines.
    package init(parsing bytes: [UInt8], path: String) {
        for (index, line) in Self.lines(of: bytes).enumerated() {
            do throws(Fault) {
                if let key = try Self.key(in: line) { entries.append(Entry(key: key, line: index + 1)) }
            } catch {
                let origin = PrefsOrigin(file: path, position: .line(index + 1, column: nil))
                let reason = error.reason + Self.consequence
                problem = problem ?? PrefsError(.syntax, origin: origin, reason: reason)
            }
        }
    }

    /// The end of the message about a locks file that is invalid or cannot be read.
    static let consequence = "; until the file is fixed, every key that this layer sets is locked"

    /// The reason why a line names no key.
    package struct Fault: Error {
        /// The finding and the expectation.
        package let reason: String
    }

    /// Returns the lines without their ends and without a byte order mark.
    package static func lines(of bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return sequence(state: bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]) { rest in
            if rest.isEmpty { return nil }
            let end = rest.firstIndex { $0 == feed || $0 == carriageReturn } ?? rest.endIndex
            let line = rest[..<end]
            let isPair = rest[end...].starts(with: [carriageReturn, feed])
            rest = rest[end...].dropFirst(isPair ? 2 : 1)
            return line
        }
    }

    /// Returns the key that a line locks; `nil` if the line is empty or a comment.
    package static func key(
        in line: some Collection<UInt8>, allowsComment: Bool = true
    ) throws(Fault) -> String? {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Fault(reason: "expected UTF-8, found other bytes")
        }
        for scalar in text.unicodeScalars where scalar != "\t" && scalar.breaksLine {
            throw Fault(reason: "unexpected control character \(scalar.name)")
        }
        var rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)
        let components = try components(at: &rest)
        if let other = rest.first(where: { !$0.properties.isWhitespace }), other != "#" || !allowsComment {
            throw Fault(
                reason: other == "#"
                    ? "unexpected “#” in a key; quote the part that contains it"
                    : "unexpected space in a key; write one key per line, or quote its parts")
        }
        return components.isEmpty ? nil : try key(withoutWildcard: components)
    }

    /// A part of a key, as a line spells it.
    private struct Component {
        var text = ""
        var isQuoted = false
        var isEmpty: Bool { text.isEmpty && !isQuoted }
    }

    /// Reads the components of a key.
    private static func components(
        at rest: inout Substring.UnicodeScalarView
    ) throws(Fault) -> [Component] {
        var components = [Component()]
        func isEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "#" || scalar.properties.isWhitespace }
        while let scalar = rest.first, !isEnd(scalar) {
            rest.removeFirst()
            if scalar == "." {
                components.append(Component())
            } else if components[components.count - 1].isQuoted {
                throw Fault(
                    reason: "unexpected \(String(scalar)) after a quoted part of a key; expected a dot")
            } else if scalar == "\"", components[components.count - 1].isEmpty {
                components[components.count - 1] = Component(text: try quoted(&rest), isQuoted: true)
            } else if scalar.properties.generalCategory == .format {
                throw Fault(reason: "unexpected invisible character \(scalar.name) in a key")
            } else {
                components[components.count - 1].text.unicodeScalars.append(scalar)
            }
        }
        return components.count == 1 && components[0].isEmpty ? [] : components
    }

    /// Reads the text up to the closing quote of a component.
    private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(Fault) -> String {
        var (spelled, isEscaped) = ("\"", false)
        while let scalar = rest.popFirst() {
            spelled.unicodeScalars.append(scalar)
            guard scalar == "\"", !isEscaped else {
                isEscaped = scalar == "\\" && !isEscaped
                continue
            }
            guard let text = PrefsPath.unquoted(spelled) else {
                throw Fault(reason: "invalid escape sequence in \(spelled)")
            }
            return text
        }
        throw Fault(reason: "expected a closing quote in a key")
    }

    /// Removes the wildcards at the end of a key, `.*` and `.`, however many there are.
    private static func key(withoutWildcard found: [Component]) throws(Fault) -> String {
        let spelled = found.map { $0.isQuoted ? "\"\($0.text)\"" : $0.text }.joined(separator: ".")
        var components = found
        while components.count > 1, let last = components.last,
            last.isEmpty || last.text == "*" && !last.isQuoted
        {
            components.removeLast()
        }
        if components.contains(where: \.isEmpty) {
            throw Fault(reason: "expected a key, found an empty part in “\(spelled)”")
        }
        if components.contains(where: { !$0.isQuoted && $0.text.utf8.contains(UInt8(ascii: "*")) }) {
            throw Fault(reason: "“*” is accepted only at the end, as in “http.*”; found “\(spelled)”")
        }
        // A quoted first part is a top-level key, and may be a path.
        let top = PrefsPath.topLevel(components[0].text).components
        return PrefsPath(components: top + components.dropFirst().map(\.text)).name
    }

    /// Returns the line that locks a key.
    package static func line(locking key: String) -> String {
        PrefsPath(key).name { component in
            component.unicodeScalars.contains { scalar in
                scalar == "#" || scalar == "*" || scalar.properties.isWhitespace
                    || scalar.properties.generalCategory == .format
            }
        }
    }
}

extension Unicode.Scalar {
    /// True for control characters, and for the separators where editors may begin another line.
    fileprivate var breaksLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The code point, such as `U+0085`.
    fileprivate var name: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
