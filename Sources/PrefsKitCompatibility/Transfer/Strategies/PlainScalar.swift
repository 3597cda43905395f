import Foundation
import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsDocuments

/// A value that is neither an array nor a dictionary, by its Swift type.
enum PlainScalar {
    case int(Int), string(String), bool(Bool), double(Double), float(Float), number(NSNumber), data(Data)
    case date(Date)
    /// A value of a type that has no stored form of its own.
    case other(Any)

    init(_ value: Any) {
        // Swift's own types first: Foundation's casts convert between numeric types.
        if type(of: value) == Float.self, let float = value as? Float {
            self = .float(float)
            return
        }
        switch PrefsValue(bridging: value) {
        case .string(let text)? where value is String || value is NSString: self = .string(text)
        case .bool(let value): self = .bool(value)
        case .integer(let number):
            self =
                Int(exactly: number).map(PlainScalar.int)
                ?? PrefsValue.integer(number).number.map(PlainScalar.number) ?? .other(value)
        case .real(let value): self = .double(value)
        case .data(let value): self = .data(value)
        case .date(let value): self = .date(value)
        default: self = .other(value)
        }
    }
}

/// Returns the contents with every value that is neither an array nor a dictionary transformed.
///
/// - Parameter transform: Receives the value and the keys that lead to it.
func mapScalars(
    of contents: [String: Any], at path: [String] = [], _ transform: (PlainScalar, [String]) throws -> Any
) rethrows -> [String: Any] {
    var result: [String: Any] = [:]
    for (key, value) in contents { result[key] = try mapScalars(of: value, at: path + [key], transform) }
    return result
}

private func mapScalars(
    of value: Any, at path: [String], _ transform: (PlainScalar, [String]) throws -> Any
) rethrows -> Any {
    switch value {
    case let contents as [String: Any]: try mapScalars(of: contents, at: path, transform)
    case let elements as [Any]: try elements.map { try mapScalars(of: $0, at: path, transform) }
    default: try transform(PlainScalar(value), path)
    }
}
