/// The place that a value or an error comes from.
public struct PrefsOrigin: Sendable, Hashable {
    /// The layer's name, if the value is part of a stack.
    public var layer: String?
    /// The file's path, if the layer is a file.
    public var file: String?
    /// The position in the file.
    public var position: PrefsPosition?
    /// The key as that layer spells it: `http.port`, `http → port` as `http.port`, `MYD_HTTP_PORT`.
    public var spelling: String?
    /// The revision of the contents, as a server counts or names them.
    public var revision: String?

    /// Creates an origin.
    public init(
        layer: String? = nil,
        file: String? = nil,
        position: PrefsPosition? = nil,
        spelling: String? = nil,
        revision: String? = nil
    ) {
        self.layer = layer
        self.file = file
        self.position = position
        self.spelling = spelling
        self.revision = revision
    }
}

/// A position in a file: a line and column of a text file, or a byte offset in a binary file.
public enum PrefsPosition: Sendable, Hashable {
    /// A line, and a column if it is known, both counted from 1; the column counts UTF-8 bytes.
    case line(Int, column: Int?)
    /// A byte offset, counted from 0.
    case byte(Int)
}

extension PrefsPosition: CustomStringConvertible {
    /// The position as `12:5`, `12` or `byte 96`.
    public var description: String {
        switch self {
        case .line(let line, let column?): "\(line):\(column)"
        case .line(let line, nil): "\(line)"
        case .byte(let offset): "byte \(offset)"
        }
    }
}

extension PrefsOrigin: CustomStringConvertible {
    /// The origin for a message, with control characters escaped: `user /home/ada/.config/com.example.myd.plist:12`,
    /// `fleet revision 42`.
    public var description: String {
        let place = [file, position?.description].compactMap(\.self).joined(separator: ":")
        let version = revision.map { "revision \($0)" }
        return [layer, place.isEmpty ? nil : place, version].compactMap(\.self).joined(separator: " ")
            .printable
    }
}
