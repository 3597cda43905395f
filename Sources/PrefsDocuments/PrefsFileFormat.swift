/// A file format for preferences: a property list, JSON, TOML or YAML.
public struct PrefsFileFormat: Sendable, Hashable {
    enum Name: String {
        case xml = "an XML property list"
        case binary = "a binary property list"
        case json = "JSON"
        case toml = "TOML"
        case yaml = "YAML"
    }

    let name: Name

    private init(_ name: Name) { self.name = name }

    /// Apple's XML property list. Dates have whole seconds, and text cannot contain control characters.
    public static let xmlPropertyList = PrefsFileFormat(.xml)
    /// Apple's binary property list, `bplist00`.
    public static let binaryPropertyList = PrefsFileFormat(.binary)
    /// A JSON object (RFC 8259). JSON cannot represent data, dates, infinities and NaN.
    public static let json = PrefsFileFormat(.json)
    /// TOML 1.0, in UTF-8. TOML cannot represent data, and its integers are signed 64-bit numbers.
    ///
    /// A date-time with an offset is a date. A local date, time or date-time is not an instant, so it is a string as
    /// written.
    public static let toml = PrefsFileFormat(.toml)
    /// YAML 1.2 with the core schema, in UTF-8, as one document. `no`, `12:30` and dates are text.
    ///
    /// This format cannot represent data and dates, and rejects tags and null. Files are read and written only if the
    /// package is built with the trait `YAML`. Otherwise both throw ``PrefsError/Code/unsupported``.
    public static let yaml = PrefsFileFormat(.yaml)
    /// A property list. New files are XML, because people may edit them.
    public static var propertyList: PrefsFileFormat { .xmlPropertyList }
}

extension PrefsFileFormat: CustomStringConvertible {
    /// The name of the format with its article, for messages: `an XML property list`.
    public var description: String { name.rawValue }
}

extension PrefsFileFormat {
    /// Detects the format of a file from the end of its name, or else from its content.
    ///
    /// The format is JSON for a name that ends in `.json`, TOML for `.toml`, and YAML for `.yaml` or `.yml`. For any
    /// other name it is a binary property list if the content begins with `bplist`, and otherwise an XML property
    /// list.
    public static func detecting(bytes: [UInt8], path: String? = nil) -> PrefsFileFormat {
        if let path, let format = named(by: path) { return format }
        return bytes.starts(with: BinaryTrailer.magic) ? binaryPropertyList : xmlPropertyList
    }

    /// Returns the format that a path's extension names: JSON, TOML or YAML; `nil` for any other extension.
    package static func named(by path: String) -> PrefsFileFormat? {
        let end = path.utf8.suffix(5)
        if end.elementsEqual(".json".utf8) { return json }
        if end.elementsEqual(".toml".utf8) { return toml }
        return end.elementsEqual(".yaml".utf8) || end.suffix(4).elementsEqual(".yml".utf8) ? yaml : nil
    }

    /// The file extensions of all formats, the default one first. The list contains the YAML extensions even
    /// without the trait `YAML`: such a file is then reported as unreadable instead of being overlooked.
    package static let extensions = ["plist", "json", "toml", "yaml", "yml"]

    /// The extension of new files in this format, without its dot.
    package var fileExtension: String {
        switch name {
        case .xml, .binary: "plist"
        case .json: "json"
        case .toml: "toml"
        case .yaml: "yaml"
        }
    }

    /// Returns a path without a format's extension and the dot before it; `nil` if the path has no such
    /// extension, or if the file name consists of nothing else.
    package static func stem(of path: String) -> String? {
        guard
            let name = extensions.first(where: {
                path.utf8.suffix($0.utf8.count + 1).elementsEqual(".\($0)".utf8)
            })
        else { return nil }
        let stem = path.dropLast(name.utf8.count + 1)
        return stem.isEmpty || stem.last == "/" ? nil : String(stem)
    }

    /// Returns a remark about a path that has no format's extension, for a message about the file's content;
    /// `nil` if the path has one.
    static func remark(on path: String) -> String? {
        if stem(of: path) != nil { return nil }
        let name = path.split(separator: "/").last ?? ""
        let dot = name.utf8.dropFirst().lastIndex(of: UInt8(ascii: "."))
        let known = extensions.map { ".\($0)" }
        let found = dot.map { "the extension “\(name[$0...])” names no format" }
        return """
            \(found ?? "the name has no extension that names a format"); use a name that ends in \
            \(known.dropLast().joined(separator: ", ")) or \(known.last ?? "")
            """
    }

    /// True if a file in this format may contain comments.
    package var hasComments: Bool { self == .xmlPropertyList || self == .toml || self == .yaml }

    /// Returns the bytes of a new file with this content: keys sorted, with the layout of Apple's tools.
    ///
    /// - Throws: `notEncodable`, with the key, if the format cannot represent a value.
    public func serialize(_ content: [String: PrefsValue]) throws(PrefsError) -> [UInt8] {
        do throws(PrefsError) {
            return switch name {
            case .xml: try XMLWriter.file(.dictionary(content))
            case .binary: try BinaryWriter.file(.dictionary(content))
            case .json: try JSONWriter.file(.dictionary(content))
            case .toml: try TOMLWriter.file(content)
            #if YAML
                case .yaml: try YAMLWriter.file(content)
            #else
                case .yaml:
                    throw PrefsError(
                        .unsupported,
                        reason:
                            "this program cannot write YAML: it was built without the trait YAML of LayeredPrefs"
                    )
            #endif
            }
        } catch {
            throw error.atTopLevel
        }
    }
}
