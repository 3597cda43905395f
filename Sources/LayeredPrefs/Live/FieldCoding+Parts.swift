import PrefsDocuments

extension FieldCoding: PartwiseCoding {
    func mismatches(of stored: PrefsValue) -> [PrefsMismatch] {
        let limit = PrefsLimits.reports
        let missing = learned.missing(in: stored, at: place, limit: limit)
        guard let type else { return missing.firstOfEachElement }
        let rejected = learned.rejected(in: stored, at: place, limit: limit)
        return (missing + wrongParts(of: stored, type) + rejected).firstOfEachElement
    }

    /// Returns the first wrong part of each element, or the first wrong part of a value without elements.
    private func wrongParts(of value: PrefsValue, _ type: any Decodable.Type) -> [PrefsMismatch] {
        if let optional = type as? any OptionalDecodable.Type {
            return wrongParts(of: value, optional.wrappedDecodable)
        }
        let element = (type as? any CollectionDecodable.Type)?.elementDecodable
        switch (element, value) {
        case (_?, .array(let elements)): return wrongParts(of: elements, type)
        case (let element?, .dictionary(let content)):
            let decoder = learned.decoder(below: place + ["*"])
            let found = content.sorted { $0.key < $1.key }.lazy.compactMap { name, part in
                decoder.mismatch(of: part, as: element)?.inside(.key(name))
            }.prefix(PrefsLimits.reports)
            if !found.isEmpty { return Array(found) }
        default: break
        }
        return learned.decoder(below: place).mismatch(of: value, as: type).map { [$0] } ?? []
    }

    /// Decoding stops at the first wrong element. So we decode once more, from the element after it.
    private func wrongParts(of elements: [PrefsValue], _ type: any Decodable.Type) -> [PrefsMismatch] {
        let decoder = learned.decoder(below: place)
        var found: [PrefsMismatch] = []
        var rest = elements[...]
        while found.count < PrefsLimits.reports,
            var mismatch = decoder.mismatch(of: .array(Array(rest)), as: type)
        {
            guard case .index(let offset)? = mismatch.path.first else { return found + [mismatch] }
            let index = rest.startIndex + offset
            mismatch.path[0] = .index(index)
            found.append(mismatch)
            rest = elements[(index + 1)...]
        }
        return found
    }
}

extension [PrefsMismatch] {
    /// The first mismatch of each element, in the order of the elements.
    fileprivate var firstOfEachElement: [PrefsMismatch] {
        var elements: Set<[PrefsMismatch.Step]> = []
        let first = filter { elements.insert(Array<PrefsMismatch.Step>($0.path.prefix(1))).inserted }
        let sorted = first.enumerated().sorted { lhs, rhs in
            (lhs.element.element, lhs.offset) < (rhs.element.element, rhs.offset)
        }
        return sorted.prefix(PrefsLimits.reports).map(\.element)
    }
}

extension PrefsMismatch {
    /// The index of the element that the wrong part is in; 0 if it is in no array.
    fileprivate var element: Int { if case .index(let index)? = path.first { index } else { 0 } }
}
