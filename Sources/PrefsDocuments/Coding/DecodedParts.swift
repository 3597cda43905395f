/// The large collections within the most recently decoded value. If the next value has the same stored form in the
/// same place, the decoder reuses the collection.
///
/// Sendable: only one decoding uses the collections at a time. If a collection contains an object that must not be
/// shared, another thread can reach that object only through the decoded value, and that value is `Sendable`.
package struct DecodedParts: @unchecked Sendable {
    /// The number of elements below which a look-up takes as long as decoding.
    private static let leastCount = 64

    private var values: [[String]: (stored: PrefsValue, value: Any)] = [:]

    package init() {}

    /// Returns the place of a collection that is worth keeping; `nil` for any other value.
    static func place(of stored: PrefsValue, _ type: any Decodable.Type, at path: CodingPath) -> [String]? {
        let count =
            switch stored {
            case .dictionary(let content): content.count
            case .array(let elements): elements.count
            default: 0
            }
        return count >= leastCount && type is any CollectionDecodable.Type ? path.names : nil
    }

    func value<Value>(of stored: PrefsValue, at place: [String]) -> Value? {
        guard let known = values[place], let value = known.value as? Value, known.stored == stored else {
            return nil
        }
        return value
    }

    mutating func keep(_ value: Any, of stored: PrefsValue, at place: [String]) {
        values[place] = (stored, value)
    }
}
