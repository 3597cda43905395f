public import FoundationEssentials

/// A coding that stores data as base64 text.
@_documentation(visibility: internal)
public struct Base64StringDataPrefsCoding: PrefsCodable {
    /// The options for writing.
    public let encodingOptions: Data.Base64EncodingOptions
    /// The options for reading.
    public let decodingOptions: Data.Base64DecodingOptions

    /// Creates the coding with Foundation's base64 options.
    public init(
        encodingOptions: Data.Base64EncodingOptions = [],
        decodingOptions: Data.Base64DecodingOptions = []
    ) {
        self.encodingOptions = encodingOptions
        self.decodingOptions = decodingOptions
    }

    public func encode(prefsValue: Data) -> String? {
        prefsValue.base64EncodedString(options: encodingOptions)
    }

    public func decode(prefsValue: String) -> Data? {
        Data(base64Encoded: prefsValue, options: decodingOptions)
    }

    public var expectation: String { "a string in base64" }
}

extension PrefsCoding where Self == Base64StringDataPrefsCoding {
    /// Stores `Data` as base64 text.
    public static func base64DataString(
        encodingOptions: Data.Base64EncodingOptions = [],
        decodingOptions: Data.Base64DecodingOptions = []
    ) -> Self {
        Self(encodingOptions: encodingOptions, decodingOptions: decodingOptions)
    }
}

extension PrefsCodable where StorageValue == Data {
    /// Stores the data of this coding as base64 text.
    public func base64DataString(
        encodingOptions: Data.Base64EncodingOptions = [],
        decodingOptions: Data.Base64DecodingOptions = []
    ) -> some PrefsCodable<Value, String> {
        chained(
            with: Base64StringDataPrefsCoding(
                encodingOptions: encodingOptions, decodingOptions: decodingOptions))
    }
}
