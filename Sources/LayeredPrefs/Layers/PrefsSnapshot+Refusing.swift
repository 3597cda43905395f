import PrefsDocuments

extension PrefsSnapshot {
    /// Returns this snapshot with what is in force in place of what is refused.
    func refusing(
        _ refusals: [RefusedVersions.Name: RefusedVersions.Refusal], inForce: PrefsSnapshot
    ) -> PrefsSnapshot {
        if refusals.isEmpty { return self }
        let versions = Set(refusals.lazy.filter(\.value.refusesVersion).map(\.key))
        return with { state in
            state.parts = state.parts.keeping(versions, of: inForce.state.parts)
            for (name, refusal) in refusals {
                let kept = refusal.values ?? inForce.state.rules.kept[name]
                for entry in kept { state.rules.kept.add(entry, in: name) }
            }
            state.lockWhatIsInForce()
        }
    }

    /// This snapshot before constraints rejected any value.
    var withoutConstraintRejections: PrefsSnapshot {
        state.rules.constraintRejections.isEmpty ? self : with { $0.rules.constraintRejections = [] }
    }
}

extension PrefsSnapshot.Part {
    /// Returns true if both are files of one folder, or of folders whose files are one list, and this one has the name that
    /// comes later.
    fileprivate func isDropIn(above other: Self) -> Bool {
        guard let file = source.file?.utf8, let otherFile = other.source.file?.utf8,
            let end = file.lastIndex(of: UInt8(ascii: "/")),
            let otherEnd = otherFile.lastIndex(of: UInt8(ascii: "/"))
        else { return false }
        let areOneList =
            isMergedByName && other.isMergedByName || file[..<end].elementsEqual(otherFile[..<otherEnd])
        return areOneList && otherFile[otherEnd...].lexicographicallyPrecedes(file[end...])
    }
}

extension PrefsSnapshot.Parts {
    typealias Name = RefusedVersions.Name

    /// Returns the version of a source; `nil` if there is none.
    subscript(name: Name) -> PrefsSource? { first { Name($0) == name }?.source }

    /// Returns true if both have sources of the same names, whatever their contents, but for files that are absent.
    func haveSameFiles(as other: Self) -> Bool {
        lazy.filter { !$0.source.isAbsent }.elementsEqual(other.lazy.filter { !$0.source.isAbsent }) {
            Name($0) == Name($1)
        }
    }

    /// Returns the names of the sources that have other contents in other parts, or none.
    func names(differingIn newest: Self) -> Set<Name> {
        guard let groups = Self.changedGroups(from: self, to: newest) else { return [] }
        var names: Set<Name> = []
        for (before, after) in groups {
            let old = Dictionary(before.parts.map { (Name($0), $0.source) }) { first, _ in first }
            let new = Dictionary(after.parts.map { (Name($0), $0.source) }) { first, _ in first }
            names.formUnion(
                Set(old.keys).union(new.keys).filter {
                    !PrefsSource.haveSameContents(old[$0], new[$0])
                })
        }
        return names
    }

    /// Returns these parts with some sources as they are in the parts in force, which list the same layers.
    fileprivate func keeping(_ names: Set<Name>, of inForce: Self) -> Self {
        if names.isEmpty { return self }
        return Self(
            groups: zip(groups, inForce.groups).map { newest, inForce in
                newest === inForce ? newest : Self.keeping(names, in: newest.parts, of: inForce)
            })
    }

    /// Returns the newest parts of a group with some sources as they are in the parts in force.
    static func keeping(
        _ names: Set<Name>, in newest: [PrefsSnapshot.Part], of inForce: Group
    ) -> Group {
        let old = Dictionary(inForce.parts.map { (Name($0), $0) }) { first, _ in first }
        let present = newest.compactMap { part in names.contains(Name(part)) ? old[Name(part)] : part }
        let presentNames = Set(present.map { Name($0) })
        // One that is gone stays behind the one that it followed.
        var followers: [Name?: [PrefsSnapshot.Part]] = [:]
        var leader: Name?
        for part in inForce.parts {
            let name = Name(part)
            if presentNames.contains(name) {
                leader = name
            } else if names.contains(name) {
                followers[leader, default: []].append(part)
            }
        }
        var parts: [PrefsSnapshot.Part] = []
        var gone = followers[nil, default: []][...]
        for part in present {
            let isNew = old[Name(part)] == nil
            // Drop-ins are in the order of their names, the last one first.
            while let next = gone.first, !(isNew && part.isDropIn(above: next)) {
                parts.append(gone.removeFirst())
            }
            parts.append(part)
            if !isNew { gone = followers[Name(part), default: []][...] }
        }
        parts += gone
        let isSame = parts.elementsEqual(inForce.parts) { $0.source === $1.source && $0.height == $1.height }
        return isSame ? inForce : Group(parts)
    }
}
