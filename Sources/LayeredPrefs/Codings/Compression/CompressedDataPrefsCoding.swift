public import FoundationEssentials

/// Stores data compressed.
///
/// ```swift
/// Device.jsonDataPrefsCoding.compressedData(algorithm: .lzfse).base64DataString()
/// ```
///
/// Stored data that is damaged, or that would grow beyond ``maximumSize``, is refused like a value of the
/// wrong type.
public struct CompressedDataPrefsCoding: PrefsCodable {
    /// How data is compressed.
    public let algorithm: CompressionAlgorithm
    /// How many bytes stored data may grow to: a few bytes can ask for gigabytes.
    public let maximumSize: Int

    public init(algorithm: CompressionAlgorithm, maximumSize: Int = 64 << 20) {
        self.algorithm = algorithm
        self.maximumSize = maximumSize
    }

    /// Data that is larger than ``maximumSize`` is not stored, since it could not be read back.
    public func encode(prefsValue: Data) -> Data? {
        guard prefsValue.count <= maximumSize else { return nil }
        return (try? algorithm.compress([UInt8](prefsValue))).map { Data($0) }
    }

    public func decode(prefsValue: Data) -> Data? {
        (try? algorithm.decompress([UInt8](prefsValue), limit: maximumSize)).map { Data($0) }
    }

    public var expectation: String { "data compressed with \(algorithm)" }
}

extension PrefsCodable where Self == CompressedDataPrefsCoding {
    /// Stores `Data` compressed.
    public static func compressedData(algorithm: CompressionAlgorithm) -> Self { Self(algorithm: algorithm) }
}

extension PrefsCodable where StorageValue == Data {
    /// Stores the data that this coding gives compressed.
    public func compressedData(
        algorithm: CompressionAlgorithm
    ) -> PrefsCodingTuple<Self, CompressedDataPrefsCoding> {
        chained(with: CompressedDataPrefsCoding(algorithm: algorithm))
    }
}
