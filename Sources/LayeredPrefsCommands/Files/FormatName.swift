import ArgumentParser
import LayeredPrefs

/// A file format, as named by an option.
enum FormatName: String, CaseIterable, ExpressibleByArgument {
    case xml, binary, json

    var format: PrefsFileFormat {
        switch self {
        case .xml: .xmlPropertyList
        case .binary: .binaryPropertyList
        case .json: .json
        }
    }

    /// The format by the file's extension: JSON for `.json`, otherwise XML.
    init(path: String?) { self = path?.hasSuffix(".json") == true ? .json : .xml }
}

extension FormatName {
    /// Serializes content in this format. In JSON, data, dates and non-finite reals become text, with a
    /// warning.
    func bytes(of content: [String: PrefsValue]) throws -> [UInt8] {
        guard self == .json else { return try format.serialize(content) }
        var changed: [String] = []
        let written = content.reduce(into: [String: PrefsValue]()) { result, entry in
            result[entry.key] = entry.value.spelledInJSON(entry.key, &changed)
        }
        for key in changed.sorted() {
            Output.complain("prefs: warning: \(key): written as text because JSON has no such type")
        }
        return try format.serialize(written)
    }

    /// Writes to a file, or to standard output unless that would write binary data to a terminal.
    func write(_ content: [String: PrefsValue], to path: String?) throws {
        let bytes = try bytes(of: content)
        if let path { return try PrefsFileWriter(path).replace { _ in bytes } }
        guard self != .binary || !Style.output.isTerminal else {
            throw CommandFailure.usage("binary data cannot be written to a terminal; use --output FILE")
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
