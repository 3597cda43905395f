/// The place where a value or an error comes from.
public struct PrefsOrigin: Sendable, Hashable {
    /// The name of the layer, if the value is part of a stack.
    public var layer: String?
    /// The path of the file, if the layer is a file.
    public var file: String?
    /// The position in the file.
    public var position: PrefsPosition?
    /// The key as the layer spells it: `http.port` (even if the file nests `port` in `http`), or `MYD_HTTP_PORT`.
    public var spelling: String?
    /// The revision of the contents, as the server counts or names it.
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

/// A position in a file: a line and column in a text file, or a byte offset in a binary file.
public enum PrefsPosition: Sendable, Hashable {
    /// A line, and a column if it is known. Both start at 1, and the column counts UTF-8 bytes.
    case line(Int, column: Int?)
    /// A byte offset, which starts at 0.
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
    /// `fleet revision 42`. A layer that is named after its file is not repeated.
    public var description: String {
        let place = [file, position?.description].compactMap(\.self).joined(separator: ":")
        let version = revision.map { "revision \($0)" }
        let layer = layer == file ? nil : layer
        return [layer, place.isEmpty ? nil : place, version].compactMap(\.self).joined(separator: " ")
            .printable
    }
}
