public import PrefsDocuments

/// A store that typed keys can be read from and written to.
///
/// Nearly every store is a ``PrefsStorage``. This narrower protocol exists for Foundation's `UserDefaults`,
/// which is not `Sendable` on Linux. Stores are used from any thread.
public protocol PersistentKeyValueStore: AnyObject {
    /// Returns the stored values for a key, most important first. The value of a typed key is the first one
    /// that decodes and passes the key's validation.
    func candidates(forKey key: String) -> [PrefsCandidate]

    /// Returns the stored values for a key under any of its names, most important first.
    ///
    /// The default implementation looks up the present name, then the former names.
    func candidates(for name: PrefsKeyName) -> [PrefsCandidate]

    /// Returns the effective value for a key: the first stored value that decodes and passes the key's
    /// validation, or the key's default.
    func get<Key: PersistentKeyProtocol>(_ key: Key) -> Key.Value

    /// Called when a read of a key rejected a stored value, so that the store can report it; repeat the key's
    /// own checks to find which value was rejected. The default implementation does nothing.
    func noteRejection<Key: PersistentKeyProtocol>(of key: Key)

    /// Reports an error that a call cannot throw; to ``PrefsDiagnostics/shared`` by default.
    func report(_ error: PrefsError)

    /// Stores a value, or removes it if `nil`.
    ///
    /// - Throws: ``PrefsError``; the stored value is then unchanged.
    func setPrefsValue(_ value: PrefsValue?, forKey key: String) throws

    /// Removes the values stored for a typed key under any of its names.
    ///
    /// - Throws: ``PrefsError``; the stored values are then unchanged.
    func erase<Key: PersistentKeyProtocol>(_ key: Key) throws

    /// Calls `body` whenever the value of a key, or of any key below it, may have changed. A store implements
    /// this so that its typed keys can be observed with ``observe(_:_:)``.
    ///
    /// - Returns: A registration, or `nil` if this store cannot report changes.
    func registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation?
}

extension PersistentKeyValueStore {
    public func candidates(for name: PrefsKeyName) -> [PrefsCandidate] {
        ([name.name] + name.formerNames).flatMap { candidates(forKey: $0) }
    }

    public func noteRejection<Key: PersistentKeyProtocol>(of key: Key) {}

    public func report(_ error: PrefsError) {
        PrefsDiagnostics.shared.report(.error, error)
    }
}

/// One stored value for a key, before the key's type has accepted or rejected it.
public struct PrefsCandidate: Sendable, Hashable {
    /// The stored value; a `.string` if ``isText`` is true.
    public var value: PrefsValue
    /// True if the layer holds text, such as an environment variable, which the key's type parses.
    public var isText: Bool
    /// The layer and the place within it that the value comes from.
    public var origin: PrefsOrigin
    /// The error that rejects this candidate for every type: something on the key's path is not a dictionary.
    public var rejection: PrefsError?

    /// Creates a candidate.
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
