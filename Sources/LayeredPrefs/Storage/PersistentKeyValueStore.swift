public import PrefsDocuments
/// Whatever typed keys can be read from and written to.
///
/// Nearly every store is a ``PrefsStorage``. This narrower protocol exists for Foundation's `UserDefaults`,
/// which is not `Sendable` on Linux. Stores are used from any thread.
public protocol PersistentKeyValueStore: AnyObject {
    /// What is stored for a key, most important first: the answer for a typed key is the first of these
    /// that decodes and passes the key's validation.
    func candidates(forKey key: String) -> [PrefsCandidate]

    /// What is stored for a key under any of its names, most important first.
    ///
    /// The default looks under the present name, then under the former ones.
    func candidates(for name: PrefsKeyName) -> [PrefsCandidate]

    /// The value in force for a key: the first stored one that decodes and passes the key's validation, or
    /// the key's default.
    func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value

    /// Hears that a value was refused as a key was read, so that it can be reported; the key's own checks
    /// tell which. The default does nothing.
    func noteRefusal<Key: PersistentKeyProtocol>(of key: Key)

    /// Reports what a call that cannot throw would have thrown; to ``PrefsDiagnostics/shared`` by default.
    func report(_ error: PrefsError)

    /// Stores a value, or with `nil` removes it.
    ///
    /// - Throws: ``PrefsError``; the stored value is then what it was.
    func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws

    /// Removes what is stored for a typed key, under any of its names.
    ///
    /// - Throws: ``PrefsError``; the stored value is then what it was.
    func erase<Key: PersistentKeyProtocol>(_ key: Key) throws

    /// Calls `body` whenever the value of a key, or of anything beneath it, may have changed.
    ///
    /// - Returns: `nil` when this store cannot say that it changed.
    func observe(key: String, _ body: @escaping @Sendable () -> Void) -> PrefsObservation?
}

extension PersistentKeyValueStore {
    public func candidates(for name: PrefsKeyName) -> [PrefsCandidate] {
        ([name.name] + name.formerNames).flatMap { candidates(forKey: $0) }
    }

    public func noteRefusal<Key: PersistentKeyProtocol>(of key: Key) {}

    public func report(_ error: PrefsError) {
        PrefsDiagnostics.shared.report(.error, error)
    }
}

/// One stored value that may be the answer for a key.
public struct PrefsCandidate: Sendable, Hashable {
    /// The stored value; a `.string` where ``isText`` is true.
    public var value: PrefsValue
    /// Whether the layer holds text, such as an environment variable, that the key's type parses.
    public var isText: Bool
    /// The layer and place it comes from.
    public var origin: PrefsOrigin
    /// Why this cannot be the answer for any type: something on the key's path is not a dictionary.
    public var rejection: PrefsError?

    public init(
        _ value: PrefsValue,
        isText: Bool = false,
        origin: PrefsOrigin = PrefsOrigin(),
        rejection: PrefsError? = nil
    ) {
        self.value = value
        self.isText = isText
        self.origin = origin
        self.rejection = rejection
    }
}
