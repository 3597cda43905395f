/// A transformation of values between a format and the storage that imports them.
public protocol PrefsStorageImportStrategy: Sendable {
    /// Returns the values to import in place of those that were read.
    func prepareForImport(storage: [String: Any]) throws -> [String: Any]
}

/// Imports values unchanged.
public struct PrefsStoragePassthroughImportStrategy: PrefsStorageImportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns the values unchanged.
    public func prepareForImport(storage: [String: Any]) throws -> [String: Any] { storage }
}

/// Imports the values of property lists unchanged: every one of them has a stored form.
public typealias PListPrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy

/// Imports every value as the Swift type that its format states.
public struct PrefsStorageTypedImportStrategy: PrefsStorageMappingImportStrategy {
    /// True to import numbers with a fraction as `NSNumber`, which casts to `Double` and to `Float`.
    public let typeEraseAmbiguousFloatingPoint: Bool

    /// Creates the strategy.
    public init(typeEraseAmbiguousFloatingPoint: Bool = false) {
        self.typeEraseAmbiguousFloatingPoint = typeEraseAmbiguousFloatingPoint
    }
}

extension PrefsStorageImportStrategy where Self == PrefsStoragePassthroughImportStrategy {
    /// Imports values unchanged.
    public static var passthrough: PrefsStoragePassthroughImportStrategy { Self() }

    /// Imports the values of property lists unchanged.
    public static var plist: PListPrefsStorageImportStrategy { Self() }
}

extension PrefsStorageImportStrategy where Self == PrefsStorageTypedImportStrategy {
    /// Imports every value as the Swift type that its format states.
    public static func typed(
        typeEraseAmbiguousFloatingPoint: Bool = false
    ) -> PrefsStorageTypedImportStrategy {
        Self(typeEraseAmbiguousFloatingPoint: typeEraseAmbiguousFloatingPoint)
    }
}
