import PrefsDocuments

extension PrefsSchema {
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
