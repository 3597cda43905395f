public import FoundationEssentials
public import LayeredPrefs

/// A coding that stores text as its UTF-8 bytes, so that it can be chained with codings of data.
public struct UTF8DataPrefsCoding: PrefsCodable {
    /// Creates the coding.
    public init() {}

    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: String) -> Data? { Data(prefsValue.utf8) }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: Data) -> String? { String(validating: prefsValue, as: UTF8.self) }

    public var expectation: String { "data in UTF-8" }
}

extension LayeredPrefs.PrefsCoding where Self == UTF8DataPrefsCoding {
    /// A coding that stores a `String` as its UTF-8 bytes.
    public static var utf8Data: Self { Self() }
}

extension PrefsCodable where StorageValue == String {
    /// A coding that stores this coding's text as its UTF-8 bytes.
    public var utf8Data: some PrefsCodable<Value, Data> { chained(with: UTF8DataPrefsCoding()) }
}
