public import PrefsDocuments
/// Two codings in a row: what the first one stores is the second one's value.
///
/// Made by chaining: `Device.jsonDataPrefsCoding.base64DataString()`.
public struct PrefsCodingTuple<First: PrefsCodable, Second: PrefsCodable>: PrefsCodable
where First.StorageValue == Second.Value {
    public typealias Value = First.Value
    public typealias StorageValue = Second.StorageValue

    /// Runs first when encoding, last when decoding.
    public let first: First
    /// Runs last when encoding, first when decoding.
    public let second: Second

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

    /// Text is read as the value's own type reads it, or else as the final stored form.
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
    /// This coding followed by another, which stores what this one gives.
    public func chained<Next: PrefsCodable>(with next: Next) -> PrefsCodingTuple<Self, Next>
    where Next.Value == StorageValue {
        PrefsCodingTuple(self, next)
    }
}
