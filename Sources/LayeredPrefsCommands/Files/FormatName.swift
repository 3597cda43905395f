import ArgumentParser
import LayeredPrefs

/// A file format, as an option names it.
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

    /// The format by the file's extension: JSON for `.json`, TOML for `.toml`, YAML for `.yaml` and `.yml` if this
    /// build supports it, otherwise XML.
    init(path: String?) {
        let named = path.flatMap(PrefsFileFormat.named)
        self = Self.allCases.first { $0.format == named } ?? .xml
    }

    /// Throws a usage error if the path has the extension of another format. The file would then be read in the
    /// wrong format.
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
    /// The kinds of files that the commands read, for the commands' help texts.
    #if YAML
        static let kinds = "property list, JSON, TOML or YAML"
    #else
        static let kinds = "property list, JSON or TOML"
    #endif

    /// True if the format has no type for data, and perhaps none for dates, so that they are written as text.
    var spellsTypesAsText: Bool { self != .xml && self != .binary }

    /// Serializes contents in this format. Values that the format has no type for are written as text, with a
    /// warning: data in TOML; data and dates in YAML; data, dates and non-finite reals in JSON.
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

    /// Serializes a document in this format, with its comments if both formats have comments.
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

    /// Writes to a file or to standard output, but never writes binary data to a terminal.
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
