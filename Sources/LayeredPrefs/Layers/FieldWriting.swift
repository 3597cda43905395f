import PrefsDocuments

/// The edits that store a struct in one layer: only the fields that differ from what the layers below give.
///
/// With the layers below at `{"host": "::", "timeout": "1m", "tls": {"minimum": "1.2"}}`:
///
///     value    {"host": "::", "timeout": "5m", "tls": {"minimum": "1.3"}}
///     layer    {"host": "a", "tls": {"minimum": "1.3"}, "unknown": 1}
///     edits    remove host, set timeout; tls.minimum stays as it is written, and so does unknown
struct FieldWriting {
    private let wholes: Set<[String]>
    private let root: PrefsPath
    private(set) var edits: [PathEdit] = []

    /// - Parameters:
    ///   - value: The struct's stored form.
    ///   - lower: The stored form of the value that the layers below give.
    ///   - own: What the layer holds now.
    ///   - known: The stored form of the value that the layer and those below give, from which the fields are
    ///     known that the new value leaves out.
    ///   - root: The key's path.
    ///   - wholes: The paths of dictionaries that count as one field.
    init(
        _ value: PrefsValue, over lower: PrefsValue?, replacing own: PrefsValue?, known: PrefsValue?,
        at root: PrefsPath, wholes: Set<[String]>
    ) {
        self.root = root
        self.wholes = wholes
        add(Versions(value: value, lower: lower, own: own, known: known), at: [])
    }

    /// The versions of one field.
    private struct Versions {
        var value: PrefsValue?
        var lower: PrefsValue?
        var own: PrefsValue?
        var known: PrefsValue?

        subscript(name: String) -> Versions {
            Versions(
                value: value?.dictionary?[name], lower: lower?.dictionary?[name],
                own: own?.dictionary?[name], known: known?.dictionary?[name])
        }

        /// True if the fields can be stored one by one: no version is something else than a struct, and there
        /// is one that the new value is merged with.
        var areStructs: Bool {
            value?.dictionary != nil && (lower ?? own) != nil
                && [lower, own].allSatisfy { $0 == nil || $0?.dictionary != nil }
        }

        var names: [String] {
            [value, lower, known].reduce(into: Set<String>()) {
                $0.formUnion($1?.dictionary?.keys ?? [:].keys)
            }
            .sorted()
        }
    }

    private mutating func add(_ versions: Versions, at field: [String]) {
        if versions.areStructs || field.isEmpty, !wholes.contains(field) {
            for name in versions.names { add(versions[name], at: field + [name]) }
            return
        }
        // Absence would let the lower value through; this text is decoded as `nil`.
        let wanted = versions.value == versions.lower ? nil : versions.value ?? .string("$null")
        // An equal value in another spelling, such as `60s` for `1m`, stays as it is written.
        let isWritten = wanted != nil && versions.own != nil && versions.value == versions.known
        if isWritten || wanted == versions.own { return }
        edits.append(PathEdit(path: PrefsPath(components: root.components + field), value: wanted))
    }
}

extension LayeredPrefsStorage {
    /// Returns the edits that store a struct in a layer; `nil` for a key that is not merged per field.
    func fieldEdits(
        storing value: PrefsValue, for key: some PersistentKeyProtocol, in target: PrefsLayer
    ) -> [PathEdit]? {
        guard let merge = key.fieldMerge, value.dictionary != nil else { return nil }
        let snapshot = snapshot
        let candidates = snapshot.candidates(for: key.name, typed: key.typing)
        let below = Set(layers.prefix { $0.name != target.name }.map(\.name.description))
        let own = snapshot.values(for: key.name).first { found in
            found.layer == target.name.description && !found.isRejected
                && (target.writtenFile == nil || found.file == target.writtenFile)
        }
        if let own, own.value.dictionary == nil { return nil }
        /// Returns the stored form of the value that some layers give.
        func stored(_ isIncluded: (String) -> Bool) -> PrefsValue? {
            let answer = merge.resolve(candidates.filter { isIncluded($0.origin.layer ?? "") })
            return (try? key.coding.encode(answer.value)) ?? nil
        }
        let lower = stored(below.contains)
        let known = stored { below.contains($0) || $0 == target.name.description }
        let wholes = merge.coding.decodeFields(value).wholes
        if wholes.contains([]) { return nil }
        return FieldWriting(
            value, over: lower, replacing: own?.value, known: known, at: PrefsPath(key.id), wholes: wholes
        ).edits
    }
}
