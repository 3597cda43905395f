public import PrefsDocuments
/// Stores an optional: `nil` is absence, which removes the key.
public struct OptionalPersistentKeyValueRepresentation<Base: PersistentKeyValueRepresentation>:
    PersistentKeyValueRepresentation
{
    public typealias Value = Base.Value?

    private let base: Base

    /// - Parameter base: How a value that is there is stored.
    public init(_ base: Base) {
        self.base = base
    }

    public func encode(_ value: Base.Value?) throws -> PrefsValue? {
        try value.flatMap(base.encode)
    }

    public func decode(_ stored: PrefsValue) -> Base.Value?? {
        // What does not decode is refused, so that a lower layer's value shows; it is not `nil`.
        base.decode(stored).map(Optional.some)
    }

    public func storedForm(ofText text: String) -> PrefsValue? { base.storedForm(ofText: text) }

    public var expectation: String { base.expectation }

    public var storedType: PrefsStoredType { base.storedType }
}

extension PersistentKeyValueRepresentation {
    /// This representation for values that may be absent.
    public var optionalRepresentation: OptionalPersistentKeyValueRepresentation<Self> {
        OptionalPersistentKeyValueRepresentation(self)
    }
}
