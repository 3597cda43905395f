public import FoundationEssentials
public import LayeredPrefs

/// Stores data compressed.
///
/// ```swift
/// JSONDataCodablePrefsCoding<Device>().compressedData(algorithm: .lzfse).base64DataString()
/// ```
///
/// Stored data that is damaged, or that would exceed ``maximumSize`` when decompressed, is rejected like a
/// value of the wrong type.
public struct CompressedDataPrefsCoding: PrefsCodable {
    /// The compression algorithm.
    public let algorithm: CompressionAlgorithm
    /// The maximum decompressed size in bytes; a few stored bytes can expand to gigabytes.
    public let maximumSize: Int

    /// Creates the coding.
    public init(algorithm: CompressionAlgorithm, maximumSize: Int = 64 << 20) {
        self.algorithm = algorithm
        self.maximumSize = maximumSize
    }

    /// Returns `nil` for data larger than ``maximumSize``, because it could not be read back.
    public func encode(prefsValue: Data) -> Data? {
        guard prefsValue.count <= maximumSize else { return nil }
        return (try? algorithm.compress([UInt8](prefsValue))).map { Data($0) }
    }

    public func decode(prefsValue: Data) -> Data? {
        (try? algorithm.decompress([UInt8](prefsValue), limit: maximumSize)).map { Data($0) }
    }

    public var expectation: String { "data compressed with \(algorithm)" }
}

extension PrefsValueCoding where Self == CompressedDataPrefsCoding {
    /// Stores `Data` compressed.
    public static func compressedData(algorithm: CompressionAlgorithm) -> Self { Self(algorithm: algorithm) }
}

extension PrefsCodable where StorageValue == Data {
    /// Stores this coding's data compressed.
    public func compressedData(
        algorithm: CompressionAlgorithm
    ) -> some PrefsCodable<Value, Data> {
        chained(with: CompressedDataPrefsCoding(algorithm: algorithm))
    }
}
