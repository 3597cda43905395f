public import PrefsDocuments
import FoundationEssentials

/// What happens to values between a storage and the file format it is written out in.
public protocol PrefsStorageExportStrategy: Sendable {
    /// The values to write in place of those that are stored.
    func prepareForExport(storage: [String: PrefsValue]) throws -> [String: PrefsValue]
}

/// Writes values as they are; what the format cannot spell fails the export, naming it.
public struct PrefsStoragePassthroughExportStrategy: PrefsStorageExportStrategy {
    public init() {}

    public func prepareForExport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] { storage }
}

/// Writes values to property lists as they are: every stored form has a spelling there.
public typealias PListPrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy

/// A strategy that looks at every value that is neither array nor dictionary.
public protocol PrefsStorageMappingExportStrategy: PrefsStorageExportStrategy {
    /// The value to write; `nil` leaves it out. The elements of an array have the array's key path.
    func exportValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue?
}

extension PrefsStorageMappingExportStrategy {
    public func prepareForExport(storage: [String: PrefsValue]) throws -> [String: PrefsValue] {
        try storage.mapScalars(exportValue(forKeyPath:value:))
    }
}

/// Writes what JSON has no spelling for as strings: data in base64, dates in ISO 8601 to the second.
public struct JSONPrefsStorageExportStrategy: PrefsStorageMappingExportStrategy {
    public init() {}

    public func exportValue(forKeyPath keyPath: [String], value: PrefsValue) throws -> PrefsValue? {
        switch value {
        case .data(let data): return .string(data.base64EncodedString())
        case .date(let date):
            guard let text = ISO8601DateStringPrefsCoding().encode(prefsValue: date) else {
                let key = keyPath.joined(separator: ".")
                throw PrefsError(.notEncodable, key: key, reason: "this date has no ISO 8601 text")
            }
            return .string(text)
        default: return value
        }
    }
}

extension PrefsStorageExportStrategy where Self == PrefsStoragePassthroughExportStrategy {
    /// Writes values as they are.
    public static var passthrough: Self { Self() }

    /// Writes values to property lists as they are.
    public static var plist: Self { Self() }
}

extension PrefsStorageExportStrategy where Self == JSONPrefsStorageExportStrategy {
    /// Writes what JSON has no spelling for as strings.
    public static var json: Self { Self() }
}
