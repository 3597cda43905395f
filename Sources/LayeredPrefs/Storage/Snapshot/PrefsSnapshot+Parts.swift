import PrefsDocuments

extension PrefsSnapshot.Part {
    /// The name of a source in a stack.
    struct Name: Sendable, Hashable {
        let layer: String?
        /// The path as bytes, because two files may have names that are equal as strings.
        let file: [UInt8]?

        init(layer: String?, file: String?) {
            self.layer = layer
            self.file = file.map { Array($0.utf8) }
        }

        init(_ part: PrefsSnapshot.Part) { self.init(layer: part.layer, file: part.source.file) }
    }

    /// Returns true if both parts have the same name, without creating a ``Name``.
    func hasSameName(as other: Self) -> Bool {
        guard layer == other.layer else { return false }
        if source === other.source { return true }
        guard let file = source.file, let otherFile = other.source.file else {
            return source.file == other.source.file
        }
        return file.utf8Span.span.hasSameBytes(as: otherFile.utf8Span.span)
    }
}

extension PrefsSnapshot {
    /// The sources of a snapshot, most important first, in groups that snapshots share.
    ///
    /// A stack has one group for each layer. A commit replaces the groups of the changed layers and reuses
    /// the other groups, so its cost does not depend on the number of files in the other layers. A comparison
    /// of two snapshots skips the groups that they share.
    struct Parts: Sendable {
        /// Some consecutive sources.
        final class Group: Sendable {
            let parts: [Part]
            /// The files that the parts are chosen from, if the layer has several folders.
            let files: SystemFiles?
            /// The largest height of the parts.
            let height: Int

            private init(_ parts: [Part], of files: SystemFiles?) {
                (self.parts, self.files) = (parts, files)
                height = parts.lazy.map(\.height).max() ?? 0
            }

            convenience init(_ parts: [Part]) { self.init(parts, of: nil) }

            convenience init(_ files: SystemFiles) { self.init(files.parts, of: files) }

            /// Returns the same sources, each changed.
            func map(_ change: (Part) -> Part) -> Group {
                files.map { Group($0.map(change)) } ?? Group(parts.map(change))
            }
        }

        let groups: [Group]
        let endIndex: Int

        init(groups: [Group]) {
            self.groups = groups
            endIndex = groups.reduce(0) { $0 + $1.parts.count }
        }

        init(_ parts: [Part]) { self.init(groups: parts.isEmpty ? [] : [Group(parts)]) }

        /// The largest height of the parts; 0 if there are none.
        var height: Int { groups.lazy.map(\.height).max() ?? 0 }
    }
}

extension PrefsSnapshot.Parts: RandomAccessCollection {
    var startIndex: Int { 0 }

    subscript(position: Int) -> PrefsSnapshot.Part {
        var position = position
        for group in groups {
            if position < group.parts.count { return group.parts[position] }
            position -= group.parts.count
        }
        // As with an array, an index outside `startIndex..<endIndex` is a mistake of the caller. The indices
        // come from this collection or from one with the same parts.
        preconditionFailure("index out of range")
    }
}

extension PrefsSnapshot.Parts {
    /// Returns the groups that differ between two lists of the same layers, each with its predecessor; `nil`
    /// if the lists have different layers.
    static func changedGroups(
        from old: Self, to new: Self
    ) -> [(before: Group, after: Group)]? {
        guard old.groups.count == new.groups.count else { return nil }
        return zip(old.groups, new.groups).compactMap { $0 === $1 ? nil : ($0, $1) }
    }

    /// Returns true if two lists have the same revisions of the same sources at the same heights.
    func hasSameSources(as other: Self) -> Bool {
        guard groups.count == other.groups.count else { return isEmpty && other.isEmpty }
        return zip(groups, other.groups).allSatisfy { mine, others in
            mine === others
                || mine.parts.elementsEqual(others.parts) {
                    $0.source === $1.source && $0.height == $1.height
                } && mine.hasSameHiddenFiles(as: others) { $0 === $1 }
        }
    }
}

extension PrefsSnapshot.Parts {
    typealias Name = PrefsSnapshot.Part.Name

    /// Returns the revision of a source; `nil` if there is none.
    subscript(name: Name) -> PrefsSource? { first { Name($0) == name }?.source }

    /// Returns true if both have sources with the same names, whatever their contents. Absent files are ignored.
    func haveSameFiles(as other: Self) -> Bool {
        lazy.filter { !$0.source.isAbsent }.elementsEqual(other.lazy.filter { !$0.source.isAbsent }) {
            Name($0) == Name($1)
        }
    }

    /// Returns the names of the sources whose contents differ in the newest parts of the same layers. A
    /// missing source counts as an empty one. Returns no names if the layers are not the same.
    func names(differingIn newest: Self) -> Set<Name> {
        guard let groups = Self.changedGroups(from: self, to: newest) else { return [] }
        return Set(groups.flatMap { before, after in after.names(differingFrom: before) })
    }
}

extension PrefsSnapshot {
    /// Returns true if two snapshots have the same values, files and rules. A file that has appeared or
    /// disappeared is a difference, even if it is empty.
    func hasSameValues(as other: PrefsSnapshot) -> Bool {
        state.rules == other.state.rules && state.parts.haveSameFiles(as: other.state.parts)
            && zip(state.parts.groups, other.state.parts.groups).allSatisfy {
                $0.hasSameHiddenFiles(as: $1, where: PrefsSource.haveSameContents)
            } && PrefsTransition.dirtyPaths(from: other, to: self).isEmpty
    }

    /// Returns these contents, except that each layer whose values differ keeps its active sources.
    func keepingDifferences(of active: PrefsSnapshot) -> PrefsSnapshot {
        with { state in
            state.parts = Parts(
                groups: zip(state.parts.groups, active.state.parts.groups).map { $1.refreshed(by: $0) })
            state.lockActiveKeys()
        }
    }
}

extension PrefsSnapshot.Parts.Group {
    /// Returns the names of the sources whose contents differ in another group. The most important source
    /// comes first. Sources that only the other group has come last.
    func names(differingFrom other: PrefsSnapshot.Parts.Group) -> [PrefsSnapshot.Part.Name] {
        if self === other { return [] }
        let (old, new) = (other.sources, sources)
        let names =
            parts.map { PrefsSnapshot.Part.Name($0) }
            + other.parts.map { PrefsSnapshot.Part.Name($0) }.filter { new[$0] == nil }
        return names.filter { !PrefsSource.haveSameContents(old[$0], new[$0]) }
    }

    /// Returns the active sources of a layer, each in its newest revision if that has the same values,
    /// perhaps on other lines.
    func refreshed(by newest: PrefsSnapshot.Parts.Group) -> PrefsSnapshot.Parts.Group {
        let hasSameFiles = newest.hasSameHiddenFiles(as: self, where: PrefsSource.haveSameContents)
        if newest === self || hasSameFiles && newest.names(differingFrom: self).isEmpty { return newest }
        let new = newest.sources
        let refreshed = map { part in
            var part = part
            if let source = new[PrefsSnapshot.Part.Name(part)],
                PrefsSource.haveSameContents(part.source, source)
            {
                part.source = source
            }
            return part
        }
        return refreshed.parts.elementsEqual(parts) { $0.source === $1.source } ? self : refreshed
    }

    /// Returns true if both groups are chosen from the same files, including hidden ones and masks, or if one
    /// of them is not chosen from folders.
    func hasSameHiddenFiles(
        as other: PrefsSnapshot.Parts.Group, where isSame: (PrefsSource, PrefsSource) -> Bool
    ) -> Bool {
        guard self !== other, let files, let others = other.files else { return true }
        return files.all.elementsEqual(others.all) {
            $0.isMask == $1.isMask && $0.part.hasSameName(as: $1.part)
                && isSame($0.part.source, $1.part.source)
        }
    }

    /// Returns the same sources with another revision of one of them.
    func replacing(_ replaced: PrefsSnapshot.Part, with source: PrefsSource) -> PrefsSnapshot.Parts.Group {
        map { part in
            // Several empty sources may be one object, so the names are compared, too.
            guard part.source === replaced.source, part.hasSameName(as: replaced) else { return part }
            var part = part
            part.source = source
            return part
        }
    }

    /// The sources by name.
    var sources: [PrefsSnapshot.Part.Name: PrefsSource] {
        Dictionary(parts.map { (PrefsSnapshot.Part.Name($0), $0.source) }) { first, _ in first }
    }
}
