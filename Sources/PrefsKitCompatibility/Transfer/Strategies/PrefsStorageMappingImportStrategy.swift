public import Foundation
import LayeredPrefs
import PrefsDocuments

/// A strategy that transforms every value except arrays and dictionaries, with one function for each type.
///
/// By default, each function returns the value unchanged.
///
/// ```swift
/// struct DatesFromText: PrefsStorageMappingImportStrategy {
///     let typeEraseAmbiguousFloatingPoint = false
///
///     func importValue(forKeyPath keyPath: [String], value: String) throws -> any PrefsStorageValue {
///         guard keyPath == ["since"] else { return value }
///         return try Date(value, strategy: .iso8601)
///     }
/// }
/// ```
///
/// The elements of an array have the array's key path.
public protocol PrefsStorageMappingImportStrategy: PrefsStorageImportStrategy {
    /// Whether numbers with a fraction are passed as `NSNumber`, which casts to `Double` and to `Float`.
    var typeEraseAmbiguousFloatingPoint: Bool { get }

    /// Returns the value to import instead of an integer.
    func importValue(forKeyPath keyPath: [String], value: Int) throws -> any PrefsStorageValue
    /// Returns the value to import instead of a string.
    func importValue(forKeyPath keyPath: [String], value: String) throws -> any PrefsStorageValue
    /// Returns the value to import instead of a Boolean value.
    func importValue(forKeyPath keyPath: [String], value: Bool) throws -> any PrefsStorageValue
    /// Returns the value to import instead of a number with a fraction.
    func importValue(forKeyPath keyPath: [String], value: Double) throws -> any PrefsStorageValue
    /// Returns the value to import instead of a `Float`.
    func importValue(forKeyPath keyPath: [String], value: Float) throws -> any PrefsStorageValue
    /// Returns the value to import instead of a number of another type: a number whose type is erased, or an integer
    /// beyond `Int`.
    func importValue(forKeyPath keyPath: [String], value: NSNumber) throws -> any PrefsStorageValue
    /// Returns the value to import instead of data.
    func importValue(forKeyPath keyPath: [String], value: Data) throws -> any PrefsStorageValue
    /// Returns the value to import instead of a date.
    func importValue(forKeyPath keyPath: [String], value: Date) throws -> any PrefsStorageValue
}

extension PrefsStorageMappingImportStrategy {
    /// Returns the value unchanged. It is the default of each function of the protocol.
    public func importValue<Value: PrefsStorageValue>(
        forKeyPath keyPath: [String], value: Value
    ) throws -> any PrefsStorageValue {
        value
    }

    /// Transforms every value except arrays and dictionaries themselves, and returns the result.
    public func prepareForImport(storage: [String: Any]) throws -> [String: Any] {
        try mapScalars(of: storage, importing(_:at:))
    }

    private func importing(_ scalar: PlainScalar, at keyPath: [String]) throws -> Any {
        switch scalar {
        case .int(let value): try importValue(forKeyPath: keyPath, value: value)
        case .string(let value): try importValue(forKeyPath: keyPath, value: value)
        case .bool(let value): try importValue(forKeyPath: keyPath, value: value)
        case .double(let value):
            typeEraseAmbiguousFloatingPoint
                ? try importValue(forKeyPath: keyPath, value: NSNumber(value: value))
                : try importValue(forKeyPath: keyPath, value: value)
        case .float(let value):
            typeEraseAmbiguousFloatingPoint
                ? try importValue(forKeyPath: keyPath, value: NSNumber(value: value))
                : try importValue(forKeyPath: keyPath, value: value)
        case .number(let value): try importValue(forKeyPath: keyPath, value: value)
        case .data(let value): try importValue(forKeyPath: keyPath, value: value)
        case .date(let value): try importValue(forKeyPath: keyPath, value: value)
        case .other(let value): value
        }
    }
}

extension PrefsStorageImportStrategy {
    /// Returns a number as the Swift type that it was created from: `Bool`, `Int` or `Double`.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - typeEraseFloatingPoint: Whether to return a number with a fraction as it is.
    public func convert(_ number: NSNumber, typeEraseFloatingPoint: Bool) -> any PrefsStorageValue {
        switch PlainScalar(number) {
        case .bool(let value): value
        case .int(let value): value
        case .double(let value): typeEraseFloatingPoint ? number : value
        case .float(let value): typeEraseFloatingPoint ? number : value
        default: number
        }
    }
}
