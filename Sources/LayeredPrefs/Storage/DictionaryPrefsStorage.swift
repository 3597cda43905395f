/// Preferences in memory: defaults given in code, overrides at run time, tests.
///
/// Used on its own it takes keys literally; as a layer of a stack, `http.port` in it is also `port` in
/// `http`. A write is seen by the next read on any thread. Writing an equal value tells nobody.
public final class DictionaryPrefsStorage: PathWritablePrefsStorage {
    private let published: PublishedSource

    /// A storage that holds these values to begin with.
    public init(values: [String: PrefsValue] = [:]) {
        published = PublishedSource(PrefsSource(values))
    }

    public var snapshot: PrefsSnapshot { published.snapshot(keysAreLiteral: true) }

    public var changeSource: PrefsChangeSource? { published.changes }

    public var isWritable: Bool { true }

    public func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws {
        update { $0[key] = value }
    }

    /// Writes the spelling that the contents have: the literal key where it exists or where something on the
    /// way is not a dictionary, else nested. Removing removes both.
    func setPrefsValue(_ value: PrefsValue?, at path: PrefsPath) throws {
        update { content in
            guard path.isNested else { return content[path.name] = value }
            guard let value else {
                content[path.name] = nil
                return content.remove(at: path)
            }
            if content[path.name] != nil || content.isBlocked(on: path) {
                content[path.name] = value
            } else {
                content.insert(value, at: path)
            }
        }
    }

    /// Changes any number of keys as one change.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) rethrows {
        try published.update { source in
            var content = source.root.value.dictionary ?? [:]
            let before = content
            try body(&content)
            return content == before ? nil : PrefsSource(content, cause: .write)
        }
    }
}

extension [String: PrefsValue] {
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
