import PrefsDocuments

/// Two codings in sequence: the stored form of the first is the value of the second.
struct ChainedCoding<First: PrefsCodable, Second: PrefsCodable>: PrefsCodable
where First.StorageValue == Second.Value {
    typealias Value = First.Value
    typealias StorageValue = Second.StorageValue

    /// The coding that runs first when encoding, and last when decoding.
    let first: First
    /// The coding that runs last when encoding, and first when decoding.
    let second: Second

    func encode(prefsValue: Value) -> StorageValue? {
        first.encode(prefsValue: prefsValue).flatMap(second.encode(prefsValue:))
    }

    func decode(prefsValue: StorageValue) -> Value? {
        second.decode(prefsValue: prefsValue).flatMap(first.decode(prefsValue:))
    }

    /// Parses the text as the value's own type does, or else as the final stored form.
    func storedForm(ofText text: String) -> PrefsValue? {
        if let form = first.storedForm(ofText: text), let value = first.decode(form),
            let encoded = encode(prefsValue: value)
        {
            return encoded.prefsValue
        }
        return second.storedForm(ofText: text)
    }

    var expectation: String { second.expectation }
}

extension PrefsCodable {
    /// Returns a coding that applies this coding first, and then stores the result with another coding.
    ///
    /// For example, `JSONDataCodablePrefsCoding<Device>().base64DataString()` stores JSON as base64 text.
    public func chained<Next: PrefsCodable>(with next: Next) -> some PrefsCodable<Value, Next.StorageValue>
    where Next.Value == StorageValue {
        ChainedCoding(first: self, second: next)
    }
}
