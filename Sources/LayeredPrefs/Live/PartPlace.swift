import PrefsDocuments

/// The place of a part in a configuration.
///
/// A key path has no name at run time. So we give the part another value, made from the stored form of its present
/// value. Whatever then differs in the stored form of the whole is at the place of the part.
struct PartPlace {
    /// The names that lead to the part.
    let path: [String]

    /// - Parameters:
    ///   - part: The part.
    ///   - fields: The fields of the configuration.
    ///   - present: A value of the configuration.
    ///   - given: The place, if the program names it.
    /// - Throws: ``PrefsError`` if the place cannot be found, or if the part is not at the place that is given.
    init<Whole: Codable & Sendable, Part: Codable & Sendable>(
        of part: WritableKeyPath<Whole, Part>, in fields: ConfigurationFields<Whole>, present: Whole,
        given: [String]?
    ) throws {
        let before = fields.encoded(present)
        let own = Self.encoded(present[keyPath: part])
        let found = Self.found(part, own, fields, before) ?? Self.only(own, in: before)
        guard let place = given ?? found else {
            throw PrefsError(
                .ambiguous,
                reason:
                    "the path of this \(Part.self) in \(Whole.self) cannot be found, because other parts"
                    + " look the same; pass the path, as in part(\\.limits, at: \"limits\")")
        }
        let isThere = before.value(at: place[...]) == own && !fields.fields(in: place).isEmpty
        guard isThere, found == nil || found == place else {
            throw PrefsError(
                .missing, key: PrefsPath(components: fields.path + place).name,
                reason: "\(Whole.self) has no \(Part.self) at this path")
        }
        path = place
    }

    private static func encoded(_ value: some Encodable) -> PrefsValue? {
        (try? PrefsValueEncoder().encode(value)) ?? nil
    }

    /// Returns the place where the whole changes with the part; `nil` if no other value of the part shows it.
    private static func found<Whole: Codable & Sendable, Part: Codable & Sendable>(
        _ part: WritableKeyPath<Whole, Part>, _ own: PrefsValue?, _ fields: ConfigurationFields<Whole>,
        _ before: PrefsValue
    ) -> [String]? {
        for stored in OtherValues(of: Part.self, than: own).all {
            // A copy, even if the value is an object.
            guard let other = value(of: stored, as: Part.self),
                case .success(var whole) = fields.value(of: before)
            else { continue }
            whole[keyPath: part] = other
            let inner = PrefsValue.changes(from: own, to: encoded(other))
            let changes = PrefsValue.changes(from: before, to: fields.encoded(whole))
            guard let change = changes.first, let end = inner.first, change.count >= end.count else {
                continue
            }
            let place = Array(change.dropLast(end.count))
            if changes == inner.map({ place + $0 }) { return place }
        }
        return nil
    }

    private static func value<Part: Decodable>(of stored: PrefsValue?, as type: Part.Type) -> Part? {
        if let stored { return try? PrefsValueDecoder().decode(type, from: stored) }
        func none<Absent: ExpressibleByNilLiteral>(_ type: Absent.Type) -> Absent { nil }
        return (type as? any ExpressibleByNilLiteral.Type).flatMap { none($0) as? Part }
    }

    /// Returns the place of a value in another value; `nil` unless there is exactly one.
    private static func only(_ value: PrefsValue?, in whole: PrefsValue) -> [String]? {
        guard let value else { return nil }
        let places = whole.places(of: value)
        return places.count == 1 ? places[0] : nil
    }
}

/// Stored forms of a type that differ from a given one. The type's decoder may reject some of them.
private struct OtherValues {
    /// Values for types that we know nothing about. Most types accept at least one of them.
    private static let common: [PrefsValue] = [
        "", 0, false, [], [:], "0s", 1, true, "1s", "a", "http://localhost",
        "00000000-0000-0000-0000-000000000000",
    ]

    private(set) var all: [PrefsValue?] = []

    init(of type: any Decodable.Type, than present: PrefsValue?) {
        let fields = Self.leaves(of: type, in: present)
        if let present {
            if type is any OptionalDecodable.Type { all.append(nil) }
            all += fields.flatMap { field in
                let own = present.value(at: field.path[...])
                let values = Self.neighbours(of: own) + Self.samples(of: field.type)
                return values.filter { $0 != own }.map { value in
                    var other = present
                    if field.path.isEmpty { other = value } else { other.insert(value, at: field.path[...]) }
                    return other
                }
            }
        } else {
            all += Self.samples(of: type)
        }
    }

    private typealias Leaf = (path: [String], type: (any Decodable.Type)?)

    private static func leaves(of type: any Decodable.Type, in present: PrefsValue?) -> [Leaf] {
        guard let present, case .dictionary = present else { return [([], type)] }
        let fields = PrefsValueDecoder().shape(of: type, in: present)
            .filter { present.value(at: $0.path[...]) != nil }
        return fields.map { ($0.path, $0.type) } + [([], type)]
    }

    /// Returns values that a type may have.
    private static func samples(of type: (any Decodable.Type)?, depth: Int = 0) -> [PrefsValue] {
        guard let type, depth < 8 else { return common }
        if let allowed = allowedValues(of: type) { return allowed }
        if let optional = type as? any OptionalDecodable.Type {
            return samples(of: optional.wrappedDecodable, depth: depth + 1)
        }
        if let section = type as? any PrefsSection.Type,
            let stored = (try? PrefsValueEncoder().encode(section.init())) ?? nil
        {
            return [stored]
        }
        if let collection = type as? any CollectionDecodable.Type {
            let elements = samples(of: collection.elementDecodable, depth: depth + 1)
            return elements.flatMap { [.array([$0]), .dictionary(["a": $0])] } + [[], [:]]
        }
        guard let fields = StructFields(of: type).fields else { return common }
        var whole: [String: PrefsValue] = [:]
        for field in fields {
            guard let type = field.type else { continue }
            whole[field.name] = samples(of: type, depth: depth + 1)
                .first { PrefsValueDecoder().mismatch(of: $0, as: type) == nil }
        }
        return [.dictionary(whole)]
    }

    /// Returns values that are similar to another value.
    private static func neighbours(of value: PrefsValue?) -> [PrefsValue] {
        switch value {
        case .integer(let number): [.integer(number - 1), .integer(number &+ 1)]
        case .real(let number): [.real(number + 1)]
        case .string(let text): [.string(text + "a"), .string("1" + text)]
        default: []
        }
    }
}

extension PrefsValue {
    /// Returns the paths where two values differ, sorted by name. Only dictionaries are compared entry by entry.
    fileprivate static func changes(from old: Self?, to new: Self?) -> [[String]] {
        if old == new { return [] }
        guard case .dictionary(let before)? = old, case .dictionary(let after)? = new else { return [[]] }
        return Set(before.keys).union(after.keys).sorted().flatMap { name in
            changes(from: before[name], to: after[name]).map { [name] + $0 }
        }
    }

    /// Returns the paths where this value contains another one. Only dictionaries are searched.
    fileprivate func places(of value: Self) -> [[String]] {
        let inner = (dictionary ?? [:]).flatMap { name, part in part.places(of: value).map { [name] + $0 } }
        return self == value ? inner + [[]] : inner
    }
}
