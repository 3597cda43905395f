import PrefsDocuments

/// The structs of a configuration whose `init(from:)` learns which of their fields no layer sets.
///
/// The encoding of the default lies below all layers, because a synthesized `init(from:)` ignores the defaults of
/// properties. A type that decodes itself may have defaults of its own. It may also treat an absent field
/// differently from a field that is set to its default:
///
///     init(from decoder: any Decoder) throws {
///         let fields = try decoder.container(keyedBy: CodingKeys.self)
///         url = try fields.decodeIfPresent(String.self, forKey: .url) ?? Self.defaultURL
///         checksum = try fields.decodeIfPresent(String.self, forKey: .checksum) ?? Self.defaultChecksum
///         if url != Self.defaultURL, !fields.contains(.checksum) { throw … }
///     }
///
/// With the default below it, this check would never fail. So we decode an empty dictionary once. If the result is
/// exactly the default that the program passed, the type supplies its own defaults, and gets only the fields that
/// the layers set. We test each struct in the configuration separately. A struct that does not supply its own
/// defaults still gets all of its fields as soon as it gets any.
struct AbsentFields: Sendable {
    /// The places of all structs, outer structs first. The place of the configuration itself is empty.
    private var structs: [[String]] = [[]]
    /// The places of the structs that get only the fields that the layers set.
    private var independent: Set<[String]> = []

    /// True if every struct gets the defaults of its fields.
    var isEmpty: Bool { independent.isEmpty }

    /// - Parameter stored: The encoding of the default instance.
    init<Value: Decodable>(of type: Value.Type, default stored: PrefsValue, _ decoder: PrefsValueDecoder) {
        if Self.isIndependent(type, default: stored, decoder) { independent.insert([]) }
        for inner in decoder.structs(of: type, in: stored) {
            guard let present = stored.value(at: inner.path[...]) else { continue }
            // A nested container has no type, because the struct around it decodes it directly.
            let isIndependent =
                inner.type.map { Self.isIndependent($0, default: present, decoder) }
                ?? independent.contains(place(around: inner.path))
            structs.append(inner.path)
            if isIndependent { independent.insert(inner.path) }
        }
    }

    /// Returns true if a type decodes its default from an empty dictionary. A ``PrefsSection`` asks for its
    /// defaults instead.
    private static func isIndependent(
        _ type: any Decodable.Type, default stored: PrefsValue, _ decoder: PrefsValueDecoder
    ) -> Bool {
        let type = (type as? any OptionalDecodable.Type)?.wrappedDecodable ?? type
        guard stored != [:], !(type is any PrefsSection.Type),
            let value = (try? decoder.decode(type, from: [:])) as? any Encodable
        else { return false }
        return (try? PrefsValueEncoder().encode(value)) == stored
    }

    /// Returns the place of the innermost struct around a field or another struct.
    private func place(around place: [String]) -> [String] {
        structs.last { $0.count < place.count && place.starts(with: $0) } ?? []
    }

    /// Returns the stored form of a configuration as its type decodes it.
    ///
    /// - Parameters:
    ///   - stored: The stored form with all defaults.
    ///   - places: The places of the fields that are set.
    ///   - others: The places of the other fields.
    func removed(from stored: PrefsValue, set places: [[String]], others: [[String]]) -> PrefsValue {
        var rest = stored
        for inner in structs.dropFirst() where independent.contains(place(around: inner)) {
            if !places.contains(where: { $0.starts(with: inner) }) { rest.remove(inner) }
        }
        for field in others where independent.contains(place(around: field)) { rest.remove(field) }
        return rest
    }
}

extension PrefsValue {
    /// Removes the value at a place, but not the dictionary around it.
    fileprivate mutating func remove(_ place: [String]) { cut(place[...], clearingTheWay: false) }
}
