import ArgumentParser
import LayeredPrefs

/// A file format, as named by an option.
enum FormatName: String, CaseIterable, ExpressibleByArgument {
    case xml, binary, json, toml
    #if YAML
        case yaml
    #endif

    var format: PrefsFileFormat {
        switch self {
        case .xml: .xmlPropertyList
        case .binary: .binaryPropertyList
        case .json: .json
        case .toml: .toml
        #if YAML
            case .yaml: .yaml
        #endif
        }
    }

    /// The extension of new files.
    var fileExtension: String { format.fileExtension }

    /// The format by the file's extension: JSON for `.json`, TOML for `.toml`, YAML for `.yaml` and `.yml` if it is
    /// built in, otherwise XML.
    init(path: String?) {
        let named = path.flatMap(PrefsFileFormat.named)
        self = Self.allCases.first { $0.format == named } ?? .xml
    }

    /// Throws a usage error if a file to be written in this format has the extension of another one, as which it would be
    /// read.
    func checkName(_ path: String?) throws {
        guard let path, PrefsFileFormat.stem(of: path) != nil else { return }
        let named = FormatName(path: path)
        guard named.fileExtension != fileExtension else { return }
        throw ValidationError(
            "--output \(path) is the name of \(named.format), not of \(format); give it the extension .\(fileExtension)"
        )
    }
}

extension FormatName {
    /// The kinds of files that the commands read, for their help.
    #if YAML
        static let kinds = "property list, JSON, TOML or YAML"
    #else
        static let kinds = "property list, JSON or TOML"
    #endif

    /// True if data, and perhaps dates, are written as text because the format has no such type.
    var spellsTypesAsText: Bool { self != .xml && self != .binary }

    /// Serializes content in this format. What it has no type for becomes text, with a warning: data in TOML;
    /// data and dates in YAML; data, dates and non-finite reals in JSON.
    func bytes(of content: [String: PrefsValue]) throws -> [UInt8] {
        guard spellsTypesAsText else { return try format.serialize(content) }
        var changed: [String] = []
        let written = content.reduce(into: [String: PrefsValue]()) { result, entry in
            result[entry.key] = entry.value.spelled(in: self, PrefsPath.topLevel(entry.key), &changed)
        }
        for key in changed.sorted() {
            Output.warn("\(key): written as text because \(format) has no such type")
        }
        return try format.serialize(written)
    }

    /// Serializes the contents of a file in this format, with its comments if both formats have them.
    func bytes(converting document: PrefsDocument) throws -> [UInt8] {
        let comments = DocumentComments(of: document)
        if !comments.isEmpty, !format.hasComments {
            Output.warn("comments are left out because \(format) has none")
        }
        return try comments.added(to: try bytes(of: document.content), in: format)
    }

    func write(converting document: PrefsDocument, to path: String?) throws {
        try write(try bytes(converting: document), to: path)
    }

    func write(_ content: [String: PrefsValue], to path: String?) throws {
        try write(try bytes(of: content), to: path)
    }

    /// Writes to a file, or to standard output unless that would write binary data to a terminal.
    private func write(_ bytes: [UInt8], to path: String?) throws {
        if let path { return try PrefsFileWriter(path).write(bytes) }
        guard self != .binary || !Style.output.isTerminal else {
            throw CommandFailure.usage("binary data cannot be written to a terminal; use --output FILE")
        }
        Output.print(bytes: bytes)
        if bytes.last != UInt8(ascii: "\n"), self != .binary { Output.print("") }
    }
}

extension PrefsValue {
    fileprivate func spelled(in format: FormatName, _ path: PrefsPath, _ changed: inout [String])
        -> PrefsValue
    {
        switch self {
        case .data: break
        case .date where format != .toml: break
        case .real(let number) where format == .json && !number.isFinite: break
        case .array(let elements): return .array(elements.map { $0.spelled(in: format, path, &changed) })
        case .dictionary(let content):
            return .dictionary(
                content.reduce(into: [:]) { result, entry in
                    result[entry.key] = entry.value.spelled(in: format, path.appending(entry.key), &changed)
                })
        default: return self
        }
        if changed.last != path.name { changed.append(path.name) }
        return .string(ValueText.plain(self))
    }
}
