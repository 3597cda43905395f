public import FoundationEssentials
public import LayeredPrefs

/// A coding that compresses stored data.
///
/// ```swift
/// JSONDataCodablePrefsCoding<Device>().compressedData(algorithm: .lzfse).base64DataString()
/// ```
///
/// Stored data is rejected like a value of the wrong type if it is damaged, or if it would exceed ``maximumSize`` when
/// decompressed.
public struct CompressedDataPrefsCoding: PrefsCodable {
    /// The compression algorithm.
    public let algorithm: CompressionAlgorithm
    /// The maximum decompressed size in bytes; 64 MiB by default. It exists because a few stored bytes can expand to
    /// gigabytes.
    public let maximumSize: Int

    /// Creates the coding.
    public init(algorithm: CompressionAlgorithm, maximumSize: Int = 64 << 20) {
        self.algorithm = algorithm
        self.maximumSize = maximumSize
    }

    /// Compresses data. Returns `nil` for data larger than ``maximumSize``, because it could not be read back.
    public func encode(prefsValue: Data) -> Data? {
        guard prefsValue.count <= maximumSize else { return nil }
        return (try? algorithm.compress([UInt8](prefsValue))).map { Data($0) }
    }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: Data) -> Data? {
        (try? algorithm.decompress([UInt8](prefsValue), limit: maximumSize)).map { Data($0) }
    }

    public var expectation: String { "data compressed with \(algorithm)" }
}

extension PrefsCoding where Self == CompressedDataPrefsCoding {
    /// Returns a coding that compresses `Data`.
    public static func compressedData(algorithm: CompressionAlgorithm) -> Self { Self(algorithm: algorithm) }
}

extension PrefsCodable where StorageValue == Data {
    /// Returns a coding that compresses the data of this coding.
    public func compressedData(
        algorithm: CompressionAlgorithm
    ) -> some PrefsCodable<Value, Data> {
        chained(with: CompressedDataPrefsCoding(algorithm: algorithm))
    }
}
