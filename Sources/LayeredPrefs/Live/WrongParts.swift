import PrefsDocuments

extension FieldCoding: PartwiseCoding {
    func mismatches(of stored: PrefsValue) -> [PrefsMismatch] {
        let missing = learned.missing(in: stored, at: place, limit: PrefsLimits.reports)
        guard let type else { return missing }
        var parts = WrongParts(learned: learned)
        parts.find(in: stored, type, at: place)
        let rejected = learned.rejected(in: stored, at: place, limit: PrefsLimits.reports)
        var found = missing
        for part in parts.found + rejected where !found.contains(where: { $0.path == part.path }) {
            found.append(part)
        }
        // In the order of the elements; what is missing comes first in each.
        let all = found.enumerated().sorted { lhs, rhs in
            (lhs.element.element, lhs.offset) < (rhs.element.element, rhs.offset)
        }
        return all.prefix(PrefsLimits.reports).map(\.element)
    }
}

extension PrefsMismatch {
    /// The index of the element that the wrong part is in; 0 if it is in no array.
    fileprivate var element: Int { if case .index(let index)? = path.first { index } else { 0 } }
}

/// The search for the wrong parts of a stored value.
///
/// Decoding ends at the first one. So that is mended and the value is decoded again, which finds only what the type itself
/// rejects. Arrays are decoded element by element.
private struct WrongParts {
    typealias Step = PrefsMismatch.Step

    /// Stand-ins for a wrong part that its struct cannot do without.
    private static let samples: [PrefsValue] = ["", 0, false, [], [:], "0s"]

    let learned: LearnedFields
    private(set) var found: [PrefsMismatch] = []

    private var isFull: Bool { found.count >= PrefsLimits.reports }

    /// - Parameters:
    ///   - place: The place of the value in the configuration, in which `*` stands for any element.
    ///   - steps: The way to the value from the one that is searched.
    mutating func find(
        in value: PrefsValue, _ type: any Decodable.Type, at place: [String], _ steps: [Step] = []
    ) {
        if let optional = type as? any OptionalDecodable.Type {
            return find(in: value, optional.wrappedDecodable, at: place, steps)
        }
        let element = (type as? any CollectionDecodable.Type)?.elementDecodable
        switch (element, value) {
        case (let element?, .array(let elements)): find(in: elements[...], type, element, at: place, steps)
        case (let element?, .dictionary(let content)):
            let count = found.count
            for (name, part) in content.sorted(by: { $0.key < $1.key }) where !isFull {
                find(in: part, element, at: place + ["*"], steps + [.key(name)])
            }
            if found.count == count { findFields(of: value, type, at: place, steps) }
        default: findFields(of: value, type, at: place, steps)
        }
    }

    private mutating func find(
        in elements: ArraySlice<PrefsValue>, _ type: any Decodable.Type, _ element: any Decodable.Type,
        at place: [String], _ steps: [Step]
    ) {
        var rest = elements
        while !isFull, let mismatch = mismatch(of: .array(Array(rest)), type, at: place) {
            guard case .index(let offset)? = mismatch.path.first else { return note(mismatch, steps) }
            let index = rest.startIndex + offset
            find(in: elements[index], element, at: place + ["*"], steps + [.index(index)])
            rest = elements[(index + 1)...]
        }
    }

    /// Finds the wrong fields of a struct, or any other value that is not accepted.
    private mutating func findFields(
        of value: PrefsValue, _ type: any Decodable.Type, at place: [String], _ steps: [Step]
    ) {
        var rest: PrefsValue? = value
        while !isFull, let present = rest, let mismatch = mismatch(of: present, type, at: place) {
            note(mismatch, steps)
            rest = mended(present, mismatch.path, type, at: place)
        }
    }

    /// Returns a value without its wrong field, or with another one in its place; `nil` if that field remains wrong.
    private func mended(
        _ value: PrefsValue, _ path: [Step], _ type: any Decodable.Type, at place: [String]
    ) -> PrefsValue? {
        let isKey = { (step: Step) in if case .key = step { true } else { false } }
        guard let last = path.lastIndex(where: isKey) else { return nil }
        let field = path[...last]
        return ([nil] + Self.samples).lazy.map { value.replacing(field, by: $0) }.first { candidate in
            guard let next = mismatch(of: candidate, type, at: place) else { return true }
            return !next.path.starts(with: field)
        }
    }

    private func mismatch(
        of value: PrefsValue, _ type: any Decodable.Type, at place: [String]
    ) -> PrefsMismatch? {
        learned.decoder(below: place).mismatch(of: value, as: type)
    }

    private mutating func note(_ mismatch: PrefsMismatch, _ steps: [Step]) {
        var mismatch = mismatch
        mismatch.path = steps + mismatch.path
        found.append(mismatch)
    }
}

extension PrefsValue {
    /// Returns this value with another part at a path, or with none.
    fileprivate func replacing(_ path: ArraySlice<PrefsMismatch.Step>, by part: PrefsValue?) -> PrefsValue {
        guard let step = path.first else { return part ?? self }
        switch (step, self) {
        case (.key(let name), .dictionary(var content)):
            let rest = path.dropFirst()
            content[name] = rest.isEmpty ? part : content[name]?.replacing(rest, by: part)
            return .dictionary(content)
        case (.index(let index), .array(var elements)) where elements.indices.contains(index):
            elements[index] = elements[index].replacing(path.dropFirst(), by: part)
            return .array(elements)
        default: return self
        }
    }
}
