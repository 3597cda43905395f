import FoundationEssentials
public import PrefsDocuments

/// A transformation of values between a storage and the format in which they are exported.
public protocol PrefsStorageExportStrategy: Sendable {
    /// Returns the values to write in place of the stored ones.
    func prepareForExport(storage: [String: PrefsValue]) throws -> [String: PrefsValue]
}

/// Exports values unchanged. A value that the format cannot represent fails the export with an error that
/// names it.
public struct PrefsStoragePassthroughExportStrategy: PrefsStorageExportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns the values unchanged.
    public func prepareForExport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] { storage }
}

/// Exports values to property lists unchanged: a property list can represent every stored form.
public typealias PListPrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy

/// A strategy that transforms every value that is neither an array nor a dictionary.
public protocol PrefsStorageMappingExportStrategy: PrefsStorageExportStrategy {
    /// Returns the value to write, or `nil` to omit it. The elements of an array have the array's key path.
    func exportValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue?
}

extension PrefsStorageMappingExportStrategy {
    /// Returns the values with every one that is neither an array nor a dictionary transformed.
    public func prepareForExport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] {
        try storage.mapScalars(exportValue(forKeyPath:value:))
    }
}

/// Exports values that JSON cannot represent as strings: data in base64, dates in ISO 8601 to the second.
public struct JSONPrefsStorageExportStrategy: PrefsStorageMappingExportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns data and dates as strings, and other values unchanged.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if a date has no ISO 8601 form.
    public func exportValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue? {
        switch value {
        case .data(let data): return .string(data.base64EncodedString())
        case .date(let date):
            guard let text = ISO8601DateStringPrefsCoding().encode(prefsValue: date) else {
                let key = keyPath.joined(separator: ".")
                throw PrefsError(.notEncodable, key: key, reason: "this date has no ISO 8601 form")
            }
            return .string(text)
        default: return value
        }
    }
}

extension PrefsStorageExportStrategy where Self == PrefsStoragePassthroughExportStrategy {
    /// Exports values unchanged.
    public static var passthrough: Self { Self() }

    /// Exports values to property lists unchanged.
    public static var plist: Self { Self() }
}

extension PrefsStorageExportStrategy where Self == JSONPrefsStorageExportStrategy {
    /// Exports values that JSON cannot represent as strings.
    public static var json: Self { Self() }
}
