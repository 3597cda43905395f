/// The large collections within the value that was decoded last. If the next value has the same stored form in such a place,
/// they are not decoded again.
///
/// Sendable: the collections belong to one value after the other, and only one decoding has them at a time. An object in
/// them that must not be shared is reached by no other thread, unless the program's value, which is `Sendable`, has it.
package struct DecodedParts: @unchecked Sendable {
    /// The number of elements below which finding a collection takes as long as decoding it.
    private static let leastCount = 64

    private var values: [[String]: (stored: PrefsValue, value: Any)] = [:]

    package init() {}

    /// Returns the place of a value whose parts are worth keeping; `nil` for any other value.
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
