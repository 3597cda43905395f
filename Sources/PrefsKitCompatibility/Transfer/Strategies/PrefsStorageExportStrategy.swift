public import Foundation
import LayeredPrefs

/// A transformation of values between a storage and the format that exports them.
public protocol PrefsStorageExportStrategy: Sendable {
    /// Returns the values to write in place of the stored ones.
    func prepareForExport(storage: [String: Any]) throws -> [String: Any]
}

/// Exports values unchanged. A value that the format cannot represent fails the export with an error that
/// names it.
public struct PrefsStoragePassthroughExportStrategy: PrefsStorageExportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns the values unchanged.
    public func prepareForExport(storage: [String: Any]) throws -> [String: Any] { storage }
}

/// Exports values to property lists unchanged: a property list can represent every stored form.
public typealias PListPrefsStorageExportStrategy = PrefsStoragePassthroughExportStrategy

/// A strategy that transforms every value that is neither an array nor a dictionary, with one function per
/// type. The elements of an array have the array's key path.
public protocol PrefsStorageMappingExportStrategy: PrefsStorageExportStrategy {
    /// Returns the value to write in place of an integer.
    func exportValue(forKeyPath keyPath: [String], value: Int) throws -> Any
    /// Returns the value to write in place of a string.
    func exportValue(forKeyPath keyPath: [String], value: String) throws -> Any
    /// Returns the value to write in place of a Boolean value.
    func exportValue(forKeyPath keyPath: [String], value: Bool) throws -> Any
    /// Returns the value to write in place of a number with a fraction.
    func exportValue(forKeyPath keyPath: [String], value: Double) throws -> Any
    /// Returns the value to write in place of a `Float`.
    func exportValue(forKeyPath keyPath: [String], value: Float) throws -> Any
    /// Returns the value to write in place of a number of another type, such as an integer beyond `Int`.
    func exportValue(forKeyPath keyPath: [String], value: NSNumber) throws -> Any
    /// Returns the value to write in place of data.
    func exportValue(forKeyPath keyPath: [String], value: Data) throws -> Any
    /// Returns the value to write in place of a date.
    func exportValue(forKeyPath keyPath: [String], value: Date) throws -> Any
}

extension PrefsStorageMappingExportStrategy {
    /// Returns the values with every one that is neither an array nor a dictionary transformed.
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

/// Exports values that JSON cannot represent as strings: data in base64, dates in ISO 8601 to the second.
public struct JSONPrefsStorageExportStrategy: PrefsStorageMappingExportStrategy {
    /// Creates the strategy.
    public init() {}

    /// Returns a value that JSON can represent unchanged.
    public func exportValue<Value>(forKeyPath keyPath: [String], value: Value) throws -> Any { value }

    public func exportValue(forKeyPath keyPath: [String], value: Data) throws -> Any {
        value.base64EncodedString()
    }

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
    /// Exports values unchanged.
    public static var passthrough: PrefsStoragePassthroughExportStrategy { Self() }

    /// Exports values to property lists unchanged.
    public static var plist: PListPrefsStorageExportStrategy { Self() }
}

extension PrefsStorageExportStrategy where Self == JSONPrefsStorageExportStrategy {
    /// Exports values that JSON cannot represent as strings.
    public static var json: JSONPrefsStorageExportStrategy { Self() }
}
