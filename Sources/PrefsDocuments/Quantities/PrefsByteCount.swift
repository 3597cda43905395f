/// A number of bytes, such as the size of a buffer or the limit of a file: `64 KiB`, `10 MB`.
///
/// ```swift
/// PersistentKey("spool.limit", defaultValue: PrefsByteCount.mebibytes(64), in: .kibibytes(1)...(.gibibytes(4)))
/// ```
///
/// In a file, a byte count is an integer, in bytes, or text with a unit:
///
/// - `B` for bytes;
/// - `kB`, `MB`, `GB`, `TB` and `PB` for powers of 1000;
/// - `KiB`, `MiB`, `GiB`, `TiB` and `PiB` for powers of 1024.
///
/// Upper and lower case are the same. The number may have a fraction if the result is a whole number of bytes:
/// `1.5 GiB`. A `K` alone is rejected, because some programs take it for 1000 and others for 1024.
public struct PrefsByteCount: Sendable, Hashable {
    /// The number of bytes. It is never negative.
    public let bytes: Int

    /// Creates a number of bytes.
    ///
    /// - Precondition: `bytes` is not negative.
    public init(bytes: Int) {
        precondition(bytes >= 0, "a number of bytes is not negative")
        self.bytes = bytes
    }

    /// Parses a number with a unit, or a number of bytes without a unit.
    ///
    /// Returns `nil` if the text has another form, or if the number is too large.
    public init?(_ text: String) {
        var reader = QuantityText(text)
        guard text.utf8.count <= 100, let number = reader.number() else { return nil }
        let unit = reader.unit()
        guard reader.isAtEnd, let factor = unit.isEmpty ? 1 : Self.factor(of: unit),
            let bytes = number.times(factor).flatMap(Int.init(exactly:))
        else { return nil }
        self.bytes = bytes
    }
}

extension PrefsByteCount {
    /// Returns a byte count of `count` bytes.
    public static func bytes(_ count: Int) -> Self { Self(bytes: count) }
    /// Returns a byte count of `count` · 1000 bytes.
    public static func kilobytes(_ count: Int) -> Self { Self(bytes: count * 1000) }
    /// Returns a byte count of `count` · 1000² bytes.
    public static func megabytes(_ count: Int) -> Self { Self(bytes: count * 1_000_000) }
    /// Returns a byte count of `count` · 1000³ bytes.
    public static func gigabytes(_ count: Int) -> Self { Self(bytes: count * 1_000_000_000) }
    /// Returns a byte count of `count` · 1024 bytes.
    public static func kibibytes(_ count: Int) -> Self { Self(bytes: count * 1024) }
    /// Returns a byte count of `count` · 1024² bytes.
    public static func mebibytes(_ count: Int) -> Self { Self(bytes: count * 1 << 20) }
    /// Returns a byte count of `count` · 1024³ bytes.
    public static func gibibytes(_ count: Int) -> Self { Self(bytes: count * 1 << 30) }
}

extension PrefsByteCount: Comparable {
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.bytes < rhs.bytes }
}

extension PrefsByteCount: LosslessStringConvertible {
    /// The number with the largest unit that makes it a whole number: `64 KiB`, `10 MB`, `1500 B`.
    public var description: String {
        for (name, factor) in Self.units where bytes >= factor && bytes % Int(factor) == 0 {
            return "\(bytes / Int(factor)) \(name)"
        }
        return "\(bytes) B"
    }

    /// The units: the powers of 1024 first, then the powers of 1000, each from the largest to the smallest.
    private static let units: [(name: String, factor: Int128)] = [
        ("PiB", 1 << 50), ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
        ("PB", 1_000_000_000_000_000), ("TB", 1_000_000_000_000), ("GB", 1_000_000_000),
        ("MB", 1_000_000), ("kB", 1000),
    ]

    private static func factor(of unit: String) -> Int128? {
        let unit = unit.lowercased()
        return unit == "b" ? 1 : units.first { $0.name.lowercased() == unit }?.factor
    }
}

extension PrefsByteCount: Codable {
    /// Decodes an integer, in bytes, or text with a unit.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let bytes = try? container.decode(Int.self) {
            guard bytes >= 0 else { throw Self.error(container) }
            self.bytes = bytes
        } else {
            guard let count = Self(try container.decode(String.self)) else { throw Self.error(container) }
            self = count
        }
    }

    /// Encodes ``description`` if it has a unit larger than a byte, and otherwise an integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let text = description
        if text.hasSuffix(" B") { try container.encode(bytes) } else { try container.encode(text) }
    }

    private static func error(_ container: any SingleValueDecodingContainer) -> DecodingError {
        .dataCorruptedError(in: container, debugDescription: "expected \(expectation)")
    }

    /// The acceptable forms, for messages.
    package static var expectation: String { #"a size such as "64 KiB", or an integer of bytes"# }
}
