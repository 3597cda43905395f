public import FoundationEssentials

/// Stores a URL as its absolute text.
public struct URLStringPrefsCoding: PrefsCodable {
    /// Creates the coding.
    public init() {}

    public func encode(prefsValue: URL) -> String? { prefsValue.absoluteString }

    public func decode(prefsValue: String) -> URL? { URL(string: prefsValue) }

    public var expectation: String { "a string with a URL" }
}

extension PrefsValueCoding where Self == URLStringPrefsCoding {
    /// Stores a `URL` as its absolute text.
    public static var urlString: Self { Self() }
}

extension URL: PrefsPersistable {
    /// The coding that stores a URL as its absolute text.
    public static var defaultPrefsCoding: URLStringPrefsCoding { URLStringPrefsCoding() }
}
