/// A property wrapper that is encoded as its wrapped value.
package protocol FieldWrapper: Codable {
    /// The type of the wrapped value, without `Optional`.
    static var wrappedType: any Decodable.Type { get }
    /// The wrapped value.
    var anyValue: Any { get }
    /// A wrapper around `nil`; `nil` if the wrapped type is not optional.
    static var absent: Self? { get }
}

/// A part of a configuration whose type supplies the defaults for missing keys.
///
/// The synthesized `init(from:)` ignores the defaults of properties, and throws if a key is missing. At the top
/// level, the configuration's default instance supplies the missing values. A section that is `nil` by default, an
/// array element and a dictionary value have no default instance. If their type conforms to this protocol, missing
/// keys take their values from `init()`:
///
/// ```swift
/// struct Upstream: PrefsSection {
///     var host = ""
///     var weight = 1
/// }
/// ```
public protocol PrefsSection: Codable {
    /// Creates a section with its default values.
    init()
}

extension Optional: OptionalDecodable where Wrapped: Decodable {
    package static var wrappedDecodable: any Decodable.Type { Wrapped.self }
}

/// An optional of a type that can be decoded.
package protocol OptionalDecodable {
    static var wrappedDecodable: any Decodable.Type { get }
}

/// A collection of values that can be decoded.
package protocol CollectionDecodable {
    static var elementDecodable: any Decodable.Type { get }
}

extension Array: CollectionDecodable where Element: Decodable {
    package static var elementDecodable: any Decodable.Type { Element.self }
}

extension Set: CollectionDecodable where Element: Decodable {
    package static var elementDecodable: any Decodable.Type { Element.self }
}

extension Dictionary: CollectionDecodable where Key: Decodable, Value: Decodable {
    package static var elementDecodable: any Decodable.Type { Value.self }
}
