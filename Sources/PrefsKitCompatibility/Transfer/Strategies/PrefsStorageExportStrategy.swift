public import Foundation
import LayeredPrefs

/// A transformation of values on their way from a storage to an export format.
public protocol PrefsStorageExportStrategy: Sendable {
    /// Returns the values to write instead of the stored values.
    func prepareForExport(storage: [String: Any]) throws -> [String: Any]
}

/// A strategy that exports values unchanged.
///
/// If the format cannot represent a value, the export fails with an error that names the value.
public struct PrefsStoragePassthroughExportStrategy: PrefsStorageExportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns the values unchanged.
    public func prepareForExport(storage: [String: Any]) throws -> [String: Any] { storage }
}

/// A strategy that exports values to property lists unchanged, because a property list can represent every stored form.
public typealias PListPrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy

/// A strategy that transforms every value except arrays and dictionaries, with one function for each type.
///
/// The elements of an array have the array's key path.
public protocol PrefsStorageMappingExportStrategy: PrefsStorageExportStrategy {
    /// Returns the value to write instead of an integer.
    func exportValue(forKeyPath keyPath: [String], value: Int) throws -> Any
    /// Returns the value to write instead of a string.
    func exportValue(forKeyPath keyPath: [String], value: String) throws -> Any
    /// Returns the value to write instead of a Boolean value.
    func exportValue(forKeyPath keyPath: [String], value: Bool) throws -> Any
    /// Returns the value to write instead of a number with a fraction.
    func exportValue(forKeyPath keyPath: [String], value: Double) throws -> Any
    /// Returns the value to write instead of a `Float`.
    func exportValue(forKeyPath keyPath: [String], value: Float) throws -> Any
    /// Returns the value to write instead of a number of another type, such as an integer beyond `Int`.
    func exportValue(forKeyPath keyPath: [String], value: NSNumber) throws -> Any
    /// Returns the value to write instead of data.
    func exportValue(forKeyPath keyPath: [String], value: Data) throws -> Any
    /// Returns the value to write instead of a date.
    func exportValue(forKeyPath keyPath: [String], value: Date) throws -> Any
}

extension PrefsStorageMappingExportStrategy {
    /// Transforms every value except arrays and dictionaries themselves, and returns the result.
    public func prepareForExport(storage: [String: Any]) throws -> [String: Any] {
        try mapScalars(of: storage) { scalar, keyPath in
            switch scalar {
            case .int(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .string(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .bool(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .double(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .float(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .number(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .data(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .date(let value): try exportValue(forKeyPath: keyPath, value: value)
            case .other(let value): value
            }
        }
    }
}

/// A strategy that exports values as strings if JSON cannot represent them: data in base64, dates in ISO 8601 to the
/// second.
public struct JSONPrefsStorageExportStrategy: PrefsStorageMappingExportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns the value unchanged, because JSON can represent it.
    public func exportValue<Value>(forKeyPath keyPath: [String], value: Value) throws -> Any { value }

    public func exportValue(forKeyPath keyPath: [String], value: Data) throws -> Any {
        value.base64EncodedString()
    }

    /// Returns the date in ISO 8601.
    ///
    /// - Throws: ``PrefsError`` with ``PrefsError/Code/notEncodable`` if a date has no ISO 8601 form.
    public func exportValue(forKeyPath keyPath: [String], value: Date) throws -> Any {
        guard let text = ISO8601DateStringPrefsCoding().encode(prefsValue: value) else {
            let key = keyPath.joined(separator: ".")
            throw PrefsError(.notEncodable, key: key, reason: "this date has no ISO 8601 form")
        }
        return text
    }
}

extension PrefsStorageExportStrategy where Self == PrefsStoragePassthroughExportStrategy {
    /// A strategy that exports values unchanged.
    public static var passthrough: PrefsStoragePassthroughExportStrategy { Self() }

    /// A strategy that exports values to property lists unchanged.
    public static var plist: PListPrefsStorageExportStrategy { Self() }
}

extension PrefsStorageExportStrategy where Self == JSONPrefsStorageExportStrategy {
    /// A strategy that exports values as strings if JSON cannot represent them.
    public static var json: JSONPrefsStorageExportStrategy { Self() }
}
