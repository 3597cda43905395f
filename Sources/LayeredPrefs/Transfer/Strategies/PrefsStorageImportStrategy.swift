public import PrefsDocuments
/// What happens to values between a file format and a storage that loads them.
public protocol PrefsStorageImportStrategy: Sendable {
    /// The values to load in place of those that were read.
    func prepareForImport(storage: [String: PrefsValue]) throws -> [String: PrefsValue]
}

/// Loads values as they were read.
public struct PrefsStoragePassthroughImportStrategy: PrefsStorageImportStrategy {
    public init() {}

    public func prepareForImport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] { storage }
}

/// Loads property lists' values as they were read: every one of them has a stored form.
public typealias PListPrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy

/// A strategy that looks at every value that is neither array nor dictionary.
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
    /// The value to load; `nil` leaves it out. The elements of an array have the array's key path.
    func importValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue?
}

extension PrefsStorageMappingImportStrategy {
    public func prepareForImport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] {
        try storage.mapScalars(importValue(forKeyPath:value:))
    }
}

/// Loads values as they were read, and may take whole reals for the integers they were meant as.
public struct PrefsStorageTypedImportStrategy: PrefsStorageMappingImportStrategy {
    private let typeEraseAmbiguousFloatingPoint: Bool

    /// - Parameter typeEraseAmbiguousFloatingPoint: Whether `1.0` is loaded as the integer 1, for files whose
    ///   writer did not tell the two apart. A `Double` takes either.
    public init(typeEraseAmbiguousFloatingPoint: Bool = false) {
        self.typeEraseAmbiguousFloatingPoint = typeEraseAmbiguousFloatingPoint
    }

    public func importValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue? {
        guard typeEraseAmbiguousFloatingPoint, case .real(let real) = value,
            let integer = Int64(exactly: real)
        else { return value }
        return .integer(Int128(integer))
    }
}

extension PrefsStorageImportStrategy where Self == PrefsStoragePassthroughImportStrategy {
    /// Loads values as they were read.
    public static var passthrough: Self { Self() }

    /// Loads property lists' values as they were read.
    public static var plist: Self { Self() }
}

extension PrefsStorageImportStrategy where Self == PrefsStorageTypedImportStrategy {
    /// Loads values as they were read, and may take whole reals for the integers they were meant as.
    public static func typed(typeEraseAmbiguousFloatingPoint: Bool = false) -> Self {
        Self(typeEraseAmbiguousFloatingPoint: typeEraseAmbiguousFloatingPoint)
    }
}
