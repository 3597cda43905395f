import ArgumentParser
import LayeredPrefs

/// A file format as an option names it.
enum FormatName: String, CaseIterable, ExpressibleByArgument {
    case xml, binary, json

    var format: PrefsFileFormat {
        switch self {
        case .xml: .xmlPropertyList
        case .binary: .binaryPropertyList
        case .json: .json
        }
    }

    /// The format that a file's name asks for.
    init(path: String?) { self = path?.hasSuffix(".json") == true ? .json : .xml }
}

extension FormatName {
    /// A file's content in this format. In JSON, data and dates become text, which is said.
    func bytes(of content: [String: PrefsValue]) throws -> [UInt8] {
        guard self == .json else { return try format.serialize(content) }
        var changed: [String] = []
        let written = content.reduce(into: [String: PrefsValue]()) { result, entry in
            result[entry.key] = entry.value.spelledInJSON(entry.key, &changed)
        }
        for key in changed.sorted() {
            Output.complain("prefs: warning: \(key): written as text, for want of a type in JSON")
        }
        return try format.serialize(written)
    }

    /// Writes to a file, or to standard output, where a person does not want bytes of a binary file.
    func write(_ content: [String: PrefsValue], to path: String?) throws {
        let bytes = try bytes(of: content)
        if let path { return try PlainFile(path).update(mode: 0o600) { _ in bytes } }
        guard self != .binary || !Style.output.isTerminal else {
            throw CommandFailure.usage("a binary file is not for a terminal; name a file with --output")
        }
        Output.print(bytes: bytes)
        if bytes.last != UInt8(ascii: "\n"), self != .binary { Output.print("") }
    }
}

extension PrefsValue {
    fileprivate func spelledInJSON(_ name: String, _ changed: inout [String]) -> PrefsValue {
        switch self {
        case .data, .date: break
        case .real(let number) where !number.isFinite: break
        case .array(let elements): return .array(elements.map { $0.spelledInJSON(name, &changed) })
        case .dictionary(let content):
            return .dictionary(
                content.reduce(into: [:]) { result, entry in
                    result[entry.key] = entry.value.spelledInJSON("\(name).\(entry.key)", &changed)
                })
        default: return self
        }
        if changed.last != name { changed.append(name) }
        return .string(ValueText.plain(self))
    }
}
