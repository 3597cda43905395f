/// A file format for preferences.
public struct PrefsFileFormat: Sendable, Hashable {
    enum Name: String {
        case xml = "an XML property list"
        case binary = "a binary property list"
        case json = "JSON"
    }

    let name: Name

    private init(_ name: Name) { self.name = name }

    /// Apple's XML property list. Dates have whole seconds; text cannot contain control characters.
    public static let xmlPropertyList = PrefsFileFormat(.xml)
    /// Apple's binary property list, `bplist00`.
    public static let binaryPropertyList = PrefsFileFormat(.binary)
    /// A JSON object (RFC 8259). It cannot represent data, dates, infinities and NaN.
    public static let json = PrefsFileFormat(.json)
}

extension PrefsFileFormat: CustomStringConvertible {
    /// The format's name with its article, for messages: `an XML property list`.
    public var description: String { name.rawValue }
}

extension PrefsFileFormat {
    /// Returns the format of a file: JSON if its name ends in `.json`, binary if its content begins with
    /// `bplist`, otherwise XML.
    public static func detecting(bytes: [UInt8], path: String? = nil) -> PrefsFileFormat {
        if let path, path.utf8.suffix(5).elementsEqual(".json".utf8) { return json }
        return bytes.starts(with: BinaryTrailer.magic) ? binaryPropertyList : xmlPropertyList
    }

    /// Returns the content as a new file: keys sorted, with the layout of Apple's tools.
    ///
    /// - Throws: `notEncodable`, with the key, if the format cannot represent a value.
    public func serialize(_ content: [String: PrefsValue]) throws(PrefsError) -> [UInt8] {
        switch name {
        case .xml: try XMLWriter.file(.dictionary(content))
        case .binary: try BinaryWriter.file(.dictionary(content))
        case .json: try JSONWriter.file(.dictionary(content))
        }
    }
}
