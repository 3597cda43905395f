import LayeredPrefs
import LayeredPrefsInspection

/// A key's value and its origin, as a command shows them.
struct KeyReport: Sendable {
    var key: String
    var value: PrefsValue?
    /// The origin of the value; `nil` for the key's own default.
    var origin: PrefsOrigin?
    /// The declared key that holds the value; `nil` if there is none or no schema is known.
    var declared: PrefsKeyDescription?
    var rejected: [PrefsError] = []
    var lock: PrefsLock?

    /// The program's secrets. The value may be a secret, part of a secret, or contain secrets.
    var secrets = SecretPaths()
    /// True if the value is a secret or part of one.
    var isSecret: Bool

    /// Removes the secrets that a dictionary or an array contains.
    mutating func removeSecrets() {
        guard let value, !isSecret, value.kind == .dictionary || value.kind == .array else { return }
        self.value = secrets.removing(from: value, at: PrefsPath(key))
    }

    /// The same report without the secrets inside its value.
    var withoutSecrets: KeyReport {
        var report = self
        report.removeSecrets()
        return report
    }
}

extension Stack {
    /// The contents to read: the selected layer's, or the whole stack's.
    var contents: PrefsSnapshot {
        guard let selection, let layer = storage.layer(selection) else { return storage.snapshot }
        return layer.storage.snapshot
    }

    /// Returns the effective value of a key. A declared key is resolved by its type.
    func report(for name: String, in snapshot: PrefsSnapshot) -> KeyReport {
        if let declared = declared?[name] { return report(declared, in: snapshot) }
        if let declared = declared?.holder(of: name) { return part(name, of: declared, in: snapshot) }
        return report(name, snapshot.resolution(forKey: name))
    }

    func report(_ declared: PrefsKeyDescription, in snapshot: PrefsSnapshot) -> KeyReport {
        report(declared.name, declared.resolution(in: snapshot), of: declared)
    }

    private func report(
        _ name: String, _ resolution: PrefsResolution<PrefsValue?>, of declared: PrefsKeyDescription? = nil
    ) -> KeyReport {
        // A single layer has no defaults.
        let value = selection != nil && resolution.isDefault ? nil : resolution.value
        return KeyReport(
            key: name, value: value, origin: placed(resolution.origin), declared: declared,
            rejected: resolution.rejected, lock: resolution.lock, secrets: self.declared.secrets,
            isSecret: self.declared.secrets.covers(PrefsPath(name)))
    }

    /// Returns an entry of a key that is declared as a dictionary. Such a key is resolved as one value.
    private func part(
        _ name: String, of declared: PrefsKeyDescription, in snapshot: PrefsSnapshot
    ) -> KeyReport {
        var report = report(declared, in: snapshot)
        let place = PrefsPath(name).components.dropFirst(PrefsPath(declared.name).components.count)
        report.key = name
        report.isSecret = report.secrets.covers(PrefsPath(name))
        report.value = report.value.flatMap { $0.value(at: place) }
        return report
    }

    private func placed(_ origin: PrefsOrigin?) -> PrefsOrigin? {
        guard var origin else { return nil }
        if origin.layer == nil { origin.layer = selection?.description }
        return origin
    }

    /// Returns the values of all keys at or below a name: first the declared keys in their order, then the other
    /// stored keys.
    func reports(under prefix: String, in snapshot: PrefsSnapshot) -> [KeyReport] {
        let known = declared?.below(prefix).map { report($0, in: snapshot) } ?? []
        let stored = snapshot.dictionary.leaves.filter { $0.isBelow(prefix) }
        let others = stored.filter { declared?.holder(of: $0) == nil && declared?.renamed($0) == nil }
        return known + others.sorted().map { report(for: $0, in: snapshot) }
    }

    /// Returns the values at or below a name as one dictionary. It contains secrets only if `revealing` is true.
    func tree(under prefix: String, in snapshot: PrefsSnapshot, revealing: Bool) -> PrefsValue {
        var tree = PrefsValue.dictionary([:])
        for report in reports(under: prefix, in: snapshot) {
            let report = revealing ? report : report.withoutSecrets
            guard let value = report.value, revealing || !report.isSecret else { continue }
            tree.insert(value, at: PrefsPath(report.key).components[...])
        }
        return tree.value(at: prefix.isEmpty ? [] : PrefsPath(prefix).components[...]) ?? [:]
    }

    /// Returns the most similar stored or declared name; `nil` if none is similar.
    func nearest(to name: String) -> String? {
        declared?.nearest(to: name)
            ?? SpellingSuggestion.nearest(to: name, among: storage.snapshot.dictionary.leaves)
    }

    /// The problem of the first source that cannot be read.
    var problem: PrefsError? {
        // The layers are asked one by one, because the stack's own status includes generations.
        for layer in storage.layers {
            if let problem = layer.storage.status.compactMap(\.problem).first { return problem }
        }
        return nil
    }

    /// Throws the exit code for a command that completed although a file is broken.
    func checkSoundness() throws {
        if let problem { throw problem.status }
    }
}

extension [String: PrefsValue] {
    /// The names of all values, except dictionaries with entries.
    var leaves: [String] {
        var leaves: [String] = []
        for (key, value) in self { value.collectLeaves(PrefsPath.topLevel(key), into: &leaves) }
        return leaves
    }
}

extension PrefsValue {
    fileprivate func collectLeaves(_ path: PrefsPath, into leaves: inout [String]) {
        guard case .dictionary(let content) = self, !content.isEmpty else { return leaves.append(path.name) }
        for (key, value) in content { value.collectLeaves(path.appending(key), into: &leaves) }
    }
}
