public import FoundationEssentials

/// A coding that stores a URL as its absolute text.
///
/// Stored text that is not a URL, such as `not a valid url`, is rejected. Its characters are not escaped to
/// make it one. Letters outside ASCII, however, are accepted and escaped.
@_documentation(visibility: internal)
public struct URLStringPrefsCoding: PrefsCodable {
    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: URL) -> String? { prefsValue.absoluteString }

    public func decode(prefsValue: String) -> URL? { URL(unescaped: prefsValue) }

    public var expectation: String { "a string with a URL" }
}

extension PrefsCoding where Self == URLStringPrefsCoding {
    /// The coding that stores a `URL` as its absolute text.
    public static var urlString: Self { Self() }
}

extension URL: PrefsStorable {
    /// The coding that stores a URL as its absolute text.
    public static var defaultPrefsCoding: URLStringPrefsCoding { URLStringPrefsCoding() }
}

extension URL {
    /// Creates a URL from text that needs no escaping, except for letters outside ASCII.
    package init?(unescaped text: String) {
        let mayEscape = text.unicodeScalars.contains { !$0.isASCII }
        // Foundation escapes everything or nothing, so we look for the characters that must not be escaped here.
        if mayEscape, text.unicodeScalars.contains(where: \.isForbiddenInURLs) { return nil }
        self.init(string: text, encodingInvalidCharacters: mayEscape)
    }
}

extension Unicode.Scalar {
    /// True for white space, control characters and the ASCII characters that RFC 3986 excludes.
    fileprivate var isForbiddenInURLs: Bool {
        properties.isWhitespace || properties.generalCategory == .control
            || "\"<>\\^`{|}".unicodeScalars.contains(self)
    }
}
