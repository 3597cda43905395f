import PrefsDocuments
import FoundationEssentials

extension PrefsDeclaring {
    /// A sample property list: every key with its documentation and default, all commented out, so that
    /// installing it unedited changes nothing.
    public static var samplePropertyList: String { samplePropertyList(environmentPrefix: "") }

    /// Returns a sample property list of a program whose environment variables begin with a prefix.
    public static func samplePropertyList(environmentPrefix: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \(KeyTree(keys).sample(environmentPrefix: environmentPrefix, indent: "    "))
        </dict>
        </plist>

        """
    }
}

extension KeyTree {
    fileprivate func sample(environmentPrefix: String, indent: String) -> String {
        entries.map { name, node in
            switch node {
            case .key(let key): key.sample(name, environmentPrefix: environmentPrefix, indent: indent)
            case .group(let group):
                """
                \(indent)<key>\(XMLSample.escaped(name))</key>
                \(indent)<dict>
                \(group.sample(environmentPrefix: environmentPrefix, indent: indent + "    "))
                \(indent)</dict>
                """
            }
        }.joined(separator: "\n")
    }
}

extension PrefsKeyDescription {
    fileprivate func sample(_ name: String, environmentPrefix: String, indent: String) -> String {
        let notes = notes(environmentPrefix: environmentPrefix).map {
            "\(indent)     \(XMLSample.comment($0))"
        }
        let value = isSecret ? storedType.placeholder : defaultValue ?? storedType.placeholder
        return """
            \(indent)<!--
            \(notes.joined(separator: "\n"))
            \(indent)<key>\(XMLSample.escaped(name))</key>
            \(XMLSample.element(value, indent: indent))
            \(indent)-->
            """
    }

    private func notes(environmentPrefix: String) -> [String] {
        var notes =
            documentation?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
        notes.append("Type: \(storedType)." + (limits.description.isEmpty ? "" : " Allowed: \(limits)."))
        notes.append("Environment: \(environmentName(prefix: environmentPrefix)).")
        if isSecret { notes.append("Secret.") }
        if needsRestart { notes.append("A change takes effect after a restart.") }
        return notes
    }
}

extension PrefsStoredType {
    /// A value of the type to show if there is no default.
    fileprivate var placeholder: PrefsValue {
        switch self {
        case .string, .any: .string("")
        case .bool: .bool(false)
        case .integer: .integer(0)
        case .real: .real(0)
        case .data: .data(Data())
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .array: .array([])
        case .dictionary: .dictionary([:])
        }
    }
}

/// Writes the elements of a property list so that they are valid inside an XML comment.
private enum XMLSample {
    static func element(_ value: PrefsValue, indent: String) -> String {
        switch value {
        case .string(let value): "\(indent)<string>\(escaped(value))</string>"
        case .bool(let value): "\(indent)<\(value)/>"
        case .integer(let value): "\(indent)<integer>\(value)</integer>"
        case .real(let value): "\(indent)<real>\(value)</real>"
        case .data(let value): "\(indent)<data>\(value.base64EncodedString())</data>"
        case .date(let value): "\(indent)<date>\(value.formatted(.iso8601))</date>"
        case .array(let elements):
            list("array", elements.map { element($0, indent: indent + "    ") }, indent)
        case .dictionary(let content):
            list(
                "dict",
                content.sorted { $0.key < $1.key }.flatMap { key, value in
                    ["\(indent)    <key>\(escaped(key))</key>", element(value, indent: indent + "    ")]
                }, indent)
        }
    }

    private static func list(_ name: String, _ lines: [String], _ indent: String) -> String {
        if lines.isEmpty { return "\(indent)<\(name)/>" }
        return (["\(indent)<\(name)>"] + lines + ["\(indent)</\(name)>"]).joined(separator: "\n")
    }

    /// Two hyphens would end the comment. Written as a character reference, the second is a hyphen again once
    /// the comment is removed.
    static func escaped(_ text: String) -> String {
        replacing(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;"], hyphen: "&#45;")
    }

    /// Returns the text of a comment, with consecutive hyphens separated by spaces.
    static func comment(_ text: String) -> String { replacing(text, [:], hyphen: " -") }

    private static func replacing(_ text: String, _ entities: [Character: String], hyphen: String) -> String {
        var result = ""
        var previous: Character?
        for character in text {
            if character == "-", previous == "-" {
                result += hyphen
            } else {
                result += entities[character] ?? String(character)
            }
            previous = character
        }
        return result
    }
}
