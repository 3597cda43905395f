public import PrefsDocuments

/// Two codings in sequence: the stored form of the first is the value of the second.
///
/// Created by chaining: `JSONDataCodablePrefsCoding<Device>().base64DataString()`.
public struct PrefsCodingTuple<First: PrefsCodable, Second: PrefsCodable>: PrefsCodable
where First.StorageValue == Second.Value {
    public typealias Value = First.Value
    public typealias StorageValue = Second.StorageValue

    /// The coding that runs first when encoding, and last when decoding.
    public let first: First
    /// The coding that runs last when encoding, and first when decoding.
    public let second: Second

    /// Creates a sequence of two codings.
    public init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    public func encode(prefsValue: Value) -> StorageValue? {
        first.encode(prefsValue: prefsValue).flatMap(second.encode(prefsValue:))
    }

    public func decode(prefsValue: StorageValue) -> Value? {
        second.decode(prefsValue: prefsValue).flatMap(first.decode(prefsValue:))
    }

    /// Parses the text as the value's own type does, or else as the final stored form.
    public func storedForm(ofText text: String) -> PrefsValue? {
        if let form = first.storedForm(ofText: text), let value = first.decode(form),
            let encoded = encode(prefsValue: value)
        {
            return encoded.prefsValue
        }
        return second.storedForm(ofText: text)
    }

    public var expectation: String { second.expectation }
}

extension PrefsCodable {
    /// Returns this coding followed by another, which stores the result of this one.
    public func chained<Next: PrefsCodable>(with next: Next) -> PrefsCodingTuple<Self, Next>
    where Next.Value == StorageValue {
        PrefsCodingTuple(self, next)
    }
}
