/// Preferences in memory: defaults given in code, overrides at run time, tests.
///
/// Used on its own it takes keys literally; as a layer of a stack, `http.port` in it is also `port` in
/// `http`. A write is seen by the next read on any thread. Writing an equal value tells nobody.
public final class DictionaryPrefsStorage: PathWritablePrefsStorage {
    private let published: PublishedSource

    /// A storage that holds these values to begin with.
    public init(values: [String: PrefsValue] = [:]) {
        published = PublishedSource(PrefsSource(values), keysAreLiteral: true)
    }

    public var snapshot: PrefsSnapshot { published.snapshot }

    public var changeSource: PrefsChangeSource? { published.changes }

    public var isWritable: Bool { true }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        update(at: [PrefsPath(key)]) { $0[key] = value }
    }

    func prepare(_ edits: [PathEdit]) -> any PreparedEdits {
        ImmediateEdits { [self] in
            update(at: edits.map(\.path)) { content in for edit in edits { content.apply(edit) } }
        }
    }

    /// Changes any number of keys as one change.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) rethrows {
        try update(at: nil, body)
    }

    /// - Parameter paths: Where alone `body` changes anything, if that is known.
    private func update(
        at paths: [PrefsPath]?, _ body: (inout [String: PrefsValue]) throws -> Void
    ) rethrows {
        try published.update { source in
            var content = source.root.value.dictionary ?? [:]
            let before = content
            try body(&content)
            if content == before { return nil }
            let author = ObserverScope.authorship { Self.differences(from: before, to: content) }
            let step = paths.map { PrefsSourceStep(start: source.version, paths: $0) }
            return PrefsSource(content, cause: .write, author: author, step: step)
        }
    }
}

extension DictionaryPrefsStorage: TransitionSource {
    func observeTransitions(
        of keys: [any PersistentKeyProtocol], _ body: @escaping @Sendable (PrefsTransition) -> Void
    ) -> TransitionObservation? {
        published.observeTransitions(of: keys, body)
    }
}

extension DictionaryPrefsStorage {
    private static func differences(
        from old: [String: PrefsValue], to new: [String: PrefsValue]
    ) -> [PrefsPath] {
        var paths: [PrefsPath] = []
        PrefsSource.forEachDifference(PrefsSource(old), PrefsSource(new)) { paths.append($0) }
        return paths
    }
}

extension [String: PrefsValue] {
    /// Writes the spelling that the contents have: the literal key where it exists or where something on the
    /// way is not a dictionary, else nested. Removing removes both.
    fileprivate mutating func apply(_ edit: PathEdit) {
        let path = edit.path
        guard path.isNested else {
            self[path.name] = edit.value
            return
        }
        guard let value = edit.value else {
            self[path.name] = nil
            return remove(at: path)
        }
        if self[path.name] != nil || isBlocked(on: path) {
            self[path.name] = value
        } else {
            insert(value, at: path)
        }
    }

    fileprivate mutating func insert(_ value: PrefsValue, at path: PrefsPath) {
        var root = PrefsValue.dictionary(self)
        root.insert(value, at: path.components[...])
        self = root.dictionary ?? [:]
    }

    fileprivate mutating func remove(at path: PrefsPath) {
        var root = PrefsValue.dictionary(self)
        root.remove(at: path.components[...])
        self = root.dictionary ?? [:]
    }

    fileprivate func isBlocked(on path: PrefsPath) -> Bool {
        if case .blocked = PrefsSource(self).find(path) { true } else { false }
    }
}

extension PrefsStorage where Self == DictionaryPrefsStorage {
    /// An empty storage in memory.
    public static var dictionary: DictionaryPrefsStorage { DictionaryPrefsStorage() }
}
