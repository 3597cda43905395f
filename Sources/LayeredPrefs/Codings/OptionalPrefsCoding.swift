public import PrefsDocuments

/// A coding of optional values that stores `nil` as absence, so that storing `nil` removes the key.
@_documentation(visibility: internal)
public struct OptionalPrefsCoding<Base: PrefsCoding>:
    PrefsCoding
{
    public typealias Value = Base.Value?

    package let base: Base

    /// Creates a coding of optional values.
    ///
    /// - Parameter base: The coding of a value that is not `nil`.
    public init(_ base: Base) {
        self.base = base
    }

    public func encode(_ value: Base.Value?) throws -> PrefsValue? {
        try value.flatMap(base.encode)
    }

    public func decode(_ stored: PrefsValue) -> Base.Value?? {
        // A stored form that does not decode is rejected, so that a lower layer's value is effective; it does
        // not mean `nil`.
        base.decode(stored).map(Optional.some)
    }

    public func storedForm(ofText text: String) -> PrefsValue? { base.storedForm(ofText: text) }

    public var expectation: String { base.expectation }

    public func mismatch(of stored: PrefsValue) -> PrefsMismatch { base.mismatch(of: stored) }

    public var storedType: PrefsStoredType { base.storedType }
}

extension PrefsCoding {
    /// The coding of optional values that is based on this coding.
    public var optionalPrefsCoding: OptionalPrefsCoding<Self> {
        OptionalPrefsCoding(self)
    }
}

/// Gives access to the wrapped value, and to its type, of an optional whose type is known only at run time.
package protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    package static var wrappedType: Any.Type { Wrapped.self }
    package var wrapped: Any? { self }
}
