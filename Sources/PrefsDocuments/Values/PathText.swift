/// The notation of paths: components between dots, with quotes around components that need them.
enum PathText {
    private static let dot = UInt8(ascii: ".")
    private static let quote = UInt8(ascii: "\"")

    /// Returns true for a name without quotes and control characters. Any other name need not be a path's
    /// ``name``.
    static func isPlain(_ name: String) -> Bool {
        for byte in name.utf8 {
            switch byte {
            // The last three bytes begin the control characters beyond ASCII, and some other characters.
            case quote, 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2: return false
            default: continue
            }
        }
        return true
    }

    /// Returns the components that a name spells; `nil` if it is not a path.
    static func components(of name: String) -> [String]? {
        let bytes = Array(name.utf8)
        var components: [String] = []
        var offset = 0
        while true {
            guard offset < bytes.count, components.count < PrefsLimits.pathComponents else { return nil }
            if bytes[offset] == quote {
                guard let (text, end) = quoted(bytes, from: offset) else { return nil }
                components.append(text)
                offset = end
            } else {
                let end = bytes[offset...].firstIndex(of: dot) ?? bytes.count
                if end == offset { return nil }
                components.append(String(decoding: bytes[offset..<end], as: UTF8.self))
                offset = end
            }
            if offset == bytes.count { break }
            guard bytes[offset] == dot else { return nil }
            offset += 1
        }
        // The first component is a key of the top level, where `"http.port"` is a path like any other.
        guard bytes[0] == quote else { return components }
        components.replaceSubrange(...0, with: PrefsPath.topLevel(components[0]).components)
        return components.count > PrefsLimits.pathComponents ? nil : components
    }

    /// Returns the text between quotes and the offset after them.
    fileprivate static func quoted(_ bytes: [UInt8], from start: Int) -> (text: String, end: Int)? {
        var text: [UInt8] = []
        var offset = start + 1
        while offset < bytes.count {
            switch bytes[offset] {
            case quote: return (String(decoding: text, as: UTF8.self), offset + 1)
            case UInt8(ascii: "\\"):
                guard let escape = try? TOMLText.readEscape(bytes, at: offset, mayFold: false),
                    let scalar = escape.scalar
                else { return nil }
                text += scalar.utf8
                offset = escape.end
            case let byte:
                text.append(byte)
                offset += 1
            }
        }
        return nil
    }

    /// Returns the name of a path.
    static func name(of path: some Collection<String>) -> String {
        guard let first = path.first else { return "" }
        if path.count > 1 {
            return path.dropFirst().reduce(into: spelling(of: first)) { $0 += "." + spelling(of: $1) }
        }
        // A key of the top level may contain dots without being a path, such as `a..b`.
        if isPlain(first) { return first }
        let isBare = first.utf8.first != quote && !first.unicodeScalars.contains(where: \.isControl)
        return isBare && components(of: first) ?? [first] == [first] ? first : inQuotes(first)
    }

    /// Returns a component as it is spelled among others.
    static func spelling(of component: String) -> String {
        let isBare =
            isPlain(component)
            ? !component.isEmpty && !component.utf8.contains(dot)
            : component.utf8.first != quote && !component.utf8.contains(dot)
                && !component.unicodeScalars.contains(where: \.isControl)
        return isBare ? component : inQuotes(component)
    }

    static func inQuotes(_ component: String) -> String { component.inDoubleQuotes(escaping: \.isControl) }
}

extension PrefsPath {
    /// Returns the component that a text in quotes spells; `nil` if the quotes or the escapes are invalid.
    package static func unquoted(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let (content, end) = PathText.quoted(bytes, from: 0), end == bytes.count else { return nil }
        return content
    }

    /// Returns the path's name with quotes around the components that a notation cannot hold without them.
    /// ``name`` may have fewer quotes.
    package func name(quoting mustBeQuoted: (String) -> Bool) -> String {
        components.map { component in
            let spelled = PathText.spelling(of: component)
            return spelled == component && mustBeQuoted(component) ? PathText.inQuotes(component) : spelled
        }.joined(separator: ".")
    }
}
