/// A transformation of values on their way from an import format to a storage.
public protocol PrefsStorageImportStrategy: Sendable {
    /// Returns the values to import instead of the values that were read.
    func prepareForImport(storage: [String: Any]) throws -> [String: Any]
}

/// A strategy that imports values unchanged.
public struct PrefsStoragePassthroughImportStrategy: PrefsStorageImportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns the values unchanged.
    public func prepareForImport(storage: [String: Any]) throws -> [String: Any] { storage }
}

/// A strategy that imports the values of property lists unchanged, because every one of them has a stored form.
public typealias PListPrefsStorageImportStrategy = PrefsStoragePassthroughImportStrategy

/// A strategy that imports every value as the Swift type that its format states.
public struct PrefsStorageTypedImportStrategy: PrefsStorageMappingImportStrategy {
    /// Whether numbers with a fraction are imported as `NSNumber`, which casts to `Double` and to `Float`.
    public let typeEraseAmbiguousFloatingPoint: Bool

    /// Creates the strategy.
    public init(typeEraseAmbiguousFloatingPoint: Bool = false) {
        self.typeEraseAmbiguousFloatingPoint = typeEraseAmbiguousFloatingPoint
    }
}

extension PrefsStorageImportStrategy where Self == PrefsStoragePassthroughImportStrategy {
    /// A strategy that imports values unchanged.
    public static var passthrough: PrefsStoragePassthroughImportStrategy { Self() }

    /// A strategy that imports the values of property lists unchanged.
    public static var plist: PListPrefsStorageImportStrategy { Self() }
}

extension PrefsStorageImportStrategy where Self == PrefsStorageTypedImportStrategy {
    /// Returns a strategy that imports every value as the Swift type that its format states.
    public static func typed(
        typeEraseAmbiguousFloatingPoint: Bool = false
    ) -> PrefsStorageTypedImportStrategy {
        Self(typeEraseAmbiguousFloatingPoint: typeEraseAmbiguousFloatingPoint)
    }
}
