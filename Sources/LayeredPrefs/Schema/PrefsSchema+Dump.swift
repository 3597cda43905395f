import PrefsDocuments
extension PrefsSchema {
    /// Returns every declared key with its effective value and origin, one line each; secrets are masked.
    ///
    /// ```
    /// http.port = 8080 (user /home/ada/.config/com.example.myd.plist:12)
    /// name = none (default)
    /// ```
    public func dump() -> String {
        let snapshot = storage.snapshot
        return Self.keys.map { $0.line(in: snapshot) }.joined(separator: "\n")
    }

    /// Returns the stored keys that the schema does not declare, sorted.
    ///
    /// Everything below a declared key belongs to it. If only `http.port` is declared, then of `["http":
    /// ["port": 1, "host": "h"], "name": "n"]` the keys `http.host` and `name` are unknown; if `http` is
    /// declared, only `name` is.
    public func unknownKeys() -> [String] {
        let declared = Set(
            Self.keys.flatMap(\.parts).flatMap { [$0.name] + $0.formerNames }.map { PrefsPath($0) })
        return storage.snapshot.dictionary
            .flatMap { Self.unknown(PrefsPath.topLevel($0.key), $0.value, declared) }
            .sorted()
    }

    private static func unknown(
        _ path: PrefsPath, _ value: PrefsValue, _ declared: Set<PrefsPath>
    ) -> [String] {
        if declared.contains(path) { return [] }
        guard let content = value.dictionary, declared.contains(where: path.contains) else {
            return [path.name]
        }
        return content.flatMap { unknown(path.appending($0.key), $0.value, declared) }
    }
}

extension PrefsKeyDescription {
    fileprivate func line(in snapshot: PrefsSnapshot) -> String {
        let winner = snapshot.candidates(for: names).first { rejection(of: $0) == nil }
        let value = winner?.value ?? defaultValue
        let shows = !isSecret && !snapshot.secrets.touches(PrefsPath(name))
        let text = value.map { shows ? $0.description : SecretPaths.mask } ?? "none"
        let origin = winner.map { $0.origin.description } ?? "default"
        return "\(name.printable) = \(text)" + (origin.isEmpty ? "" : " (\(origin))")
    }
}
