/// A property wrapper that is stored as the value that it wraps.
package protocol FieldWrapper: Codable {
    /// The type of the wrapped value, without being optional.
    static var wrappedType: any Decodable.Type { get }
    /// The wrapped value.
    var anyValue: Any { get }
    /// The wrapper of `nil`; `nil` if the value is not optional.
    static var absent: Self? { get }
}

/// A part of a configuration that takes the values of its `init()` for what is not set.
///
/// The synthesized `init(from:)` ignores the defaults of properties: a key that is missing is an error. For the whole
/// configuration, its default instance supplies what is missing. A section that is `nil` by default, an element of an
/// array and a value of a dictionary have no such instance, unless their type conforms to this protocol:
///
/// ```swift
/// struct Upstream: PrefsSection {
///     var host = ""
///     var weight = 1
/// }
/// ```
public protocol PrefsSection: Codable {
    /// Creates a section with its defaults.
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
