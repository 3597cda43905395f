public import PrefsDocuments

/// A transformation of values between a format and the storage that imports them.
public protocol PrefsStorageImportStrategy: Sendable {
    /// Returns the values to import in place of those that were read.
    func prepareForImport(storage: [String: PrefsValue]) throws -> [String: PrefsValue]
}

/// Imports values unchanged.
public struct PrefsStoragePassthroughImportStrategy: PrefsStorageImportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns the values unchanged.
    public func prepareForImport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] { storage }
}

/// Imports the values of property lists unchanged: every one of them has a stored form.
public typealias PListPrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy

/// A strategy that transforms every value that is neither an array nor a dictionary.
///
/// ```swift
/// struct DatesFromText: PrefsStorageMappingImportStrategy {
///     func importValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue? {
///         guard keyPath == ["since"], case .string(let text) = value else { return value }
///         return try .date(Date(text, strategy: .iso8601))
///     }
/// }
/// ```
public protocol PrefsStorageMappingImportStrategy: PrefsStorageImportStrategy {
    /// Returns the value to import, or `nil` to omit it. The elements of an array have the array's key path.
    func importValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue?
}

extension PrefsStorageMappingImportStrategy {
    /// Returns the values with every one that is neither an array nor a dictionary transformed.
    public func prepareForImport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] {
        try storage.mapScalars(importValue(forKeyPath:value:))
    }
}

/// Imports values unchanged, except that reals without a fraction may become integers.
public struct PrefsStorageTypedImportStrategy: PrefsStorageMappingImportStrategy {
    private let typeEraseAmbiguousFloatingPoint: Bool

    /// Creates the strategy.
    ///
    /// - Parameter typeEraseAmbiguousFloatingPoint: True to import `1.0` as the integer 1, for files whose
    ///   writer did not distinguish the two. A `Double` accepts either.
    public init(typeEraseAmbiguousFloatingPoint: Bool = false) {
        self.typeEraseAmbiguousFloatingPoint = typeEraseAmbiguousFloatingPoint
    }

    /// Returns the value, or an integer for a real without a fraction if the strategy converts those.
    public func importValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue? {
        guard typeEraseAmbiguousFloatingPoint, case .real(let real) = value,
            let integer = Int64(exactly: real)
        else { return value }
        return .integer(Int128(integer))
    }
}

extension PrefsStorageImportStrategy where Self == PrefsStoragePassthroughImportStrategy {
    /// Imports values unchanged.
    public static var passthrough: Self { Self() }

    /// Imports the values of property lists unchanged.
    public static var plist: Self { Self() }
}

extension PrefsStorageImportStrategy where Self == PrefsStorageTypedImportStrategy {
    /// Imports values unchanged, except that reals without a fraction may become integers.
    public static func typed(typeEraseAmbiguousFloatingPoint: Bool = false) -> Self {
        Self(typeEraseAmbiguousFloatingPoint: typeEraseAmbiguousFloatingPoint)
    }
}
