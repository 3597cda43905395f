public import Foundation
public import LayeredPrefs
public import PrefsDocuments
import PrefsSystem

/// Foundation's `UserDefaults` as a storage.
///
/// Keys are literal. An absent key is absent, never 0 or `false`. Exported contents include registered
/// defaults.
///
/// Before you choose this storage over a file storage, consider Foundation's behaviour on Linux:
///
/// - `UserDefaults` writes `~/.config/<process name>.plist`, or a file with the suite's name, and only in
///   `synchronize()`. This storage calls it when the process exits normally, and when you call
///   ``synchronize()``. A process that is killed loses the values that it has set since the last call.
/// - The file is truncated and rewritten in place. A process that reads it at that moment, or after a
///   crash during the write, finds it empty or cut off.
/// - Two processes that save at the same time may overwrite each other's changes. Edits by other
///   processes are not detected. Observers are notified only of this process's writes through this
///   library.
/// - An integer beyond `Int64` cannot be stored. Setting one throws.
/// - Saving drops fractions of a second and the sign of a negative zero. It saves all suites of the
///   process, and a later read may use the file. So a value may change in this way whenever any suite is
///   saved.
///
/// A file storage in the same location has none of these limitations.
public final class UserDefaultsPrefsStorage: PrefsStorage {
    /// `UserDefaults.standard` as a storage.
    public static let standard = UserDefaultsPrefsStorage()

    private let defaults: UserDefaultsAccess

    /// The defaults behind this storage.
    public var suite: UserDefaults { defaults.suite }

    /// Creates a storage for a suite.
    public init(suite: UserDefaults = .standard) {
        defaults = UserDefaultsAccess(suite: suite)
    }

    public var snapshot: PrefsSnapshot {
        PrefsSnapshot(suite.dictionaryRepresentation().compactMapValues(PrefsValue.init(bridging:)))
    }

    public var isWritable: Bool { true }

    public var isPersistent: Bool { true }

    public var _capabilities: _PrefsStorageCapabilities { .ofNames(self) }

    /// Stores a value in the defaults, which are saved when the process exits normally.
    ///
    /// - Throws: ``PrefsError`` for a value with an integer beyond 64 bits.
    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        try setValue(value, of: nil, forKey: key)
    }

    /// Stores an object whose stored form is `value`. A `Float` in it remains a `Float` until Foundation saves any
    /// suite.
    @discardableResult
    package func setValue(
        _ value: PrefsValue?, of original: Any?, forKey key: String
    ) throws -> PrefsWriteOutcome {
        if value?.isStorableInUserDefaults == false {
            throw PrefsError(
                .notEncodable, key: key, reason: "UserDefaults cannot store integers beyond 64 bits")
        }
        if let value {
            suite.set(value.object(of: original), forKey: key)
        } else {
            suite.removeObject(forKey: key)
        }
        SynchronizeAtExit.add(suite)
        // Only observers of the key read the value. After a write, Foundation's next read of any key puts together
        // all keys of the suite.
        let write = UserDefaultsWrite(suite: ObjectIdentifier(suite), key: key)
        UserDefaultsWrite.observers.call(with: write)
        return .effective
    }

    /// Calls `body` for every write of a key through this object, even if the value stays equal, and for changes
    /// that are made through other objects.
    package func observeWrites(
        forKey key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation {
        // Read under the mutex, so that the newer value is kept if two threads read. Reading calls no code of the
        // program.
        let last = Lock(value(forKey: key))
        return UserDefaultsWrite.observers.add { [self] write in
            guard write.key == key else { return }
            let isNew = last.withLock { last in
                let now = value(forKey: key)
                defer { last = now }
                return now != last
            }
            if isNew || write.suite == ObjectIdentifier(suite) { body() }
        }
    }

    /// Calls `body` whenever this process writes the key, or a key below it, to any defaults through this
    /// library.
    ///
    /// Suites share a registration domain, and two objects may represent one suite.
    public func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        let path = PrefsPath(key)
        return UserDefaultsWrite.observers.add { write in
            if key.isEmpty || path.contains(PrefsPath(write.key)) { body() }
        }
    }

    /// Returns the stored value for a key, or the text of the argument `-key text` on the command line.
    ///
    /// The key's type parses the text.
    public func _candidates(forKey key: String) -> [PrefsCandidate] {
        let argument = suite.volatileDomain(forName: UserDefaults.argumentDomain)[key]
        if let text = argument as? String {
            return [PrefsCandidate(.string(text), isText: true, origin: PrefsOrigin(layer: "arguments"))]
        }
        guard let object = argument ?? suite.object(forKey: key) else { return [] }
        let origin = PrefsOrigin(layer: argument == nil ? "UserDefaults" : "arguments", spelling: key)
        guard let value = PrefsValue(bridging: object) else {
            let error = PrefsError(
                .wrongType, key: key, origin: origin,
                reason: "values of type \(type(of: object)) have no stored form")
            return [PrefsCandidate(.string("\(object)"), origin: origin, rejection: error)]
        }
        return [PrefsCandidate(value, origin: origin)]
    }

    public func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        ([key.id] + key.traits.formerNames).flatMap { _candidates(forKey: $0) }
    }

    /// Adds keys' defaults to the registration domain, so that other code that reads these defaults finds
    /// them.
    ///
    /// A stored value takes precedence. An absent default registers nothing.
    public func register<each Value: Sendable>(_ keys: repeat PersistentKey<each Value>) {
        for key in repeat each keys {
            reporting(key: key.id) {
                register(try key.coding.encode(key.defaultValue), of: key.defaultValue, forKey: key.id)
            }
        }
    }

    /// Adds a default, whose stored form is `value`, to the registration domain.
    package func register(_ value: PrefsValue?, of original: Any?, forKey key: String) {
        if let value { suite.register(defaults: [key: value.object(of: original)]) }
    }

    /// Writes the values that have been set so far to disk.
    ///
    /// - Throws: ``PrefsError`` if Foundation reports a failure.
    public func synchronize() throws {
        guard suite.synchronize() else {
            throw PrefsError(.unwritable, reason: "UserDefaults could not be saved")
        }
    }
}

/// Carries defaults between threads.
// Sendable: `UserDefaults` acquires a mutex of its own around every access. Foundation marks it
// unavailable for Sendable because subclasses might not be thread-safe.
struct UserDefaultsAccess: @unchecked Sendable {
    let suite: UserDefaults
}

/// A write of a key to any defaults through this library.
struct UserDefaultsWrite {
    static let observers = CallbackList<UserDefaultsWrite>()

    let suite: ObjectIdentifier
    let key: String
}

extension PrefsValue {
    /// The object that Foundation stores for a value with this stored form. A real is a `Float` if the original is
    /// one, because Foundation does not convert a `Double` to a `Float`.
    fileprivate func object(of original: Any?) -> Any {
        switch (self, original) {
        case (.real, let number?) where type(of: number) == Float.self: number
        case (.array(let elements), let originals as [Any]) where originals.count == elements.count:
            zip(elements, originals).map { $0.object(of: $1) }
        case (.dictionary(let contents), let originals as [String: Any]):
            Dictionary(uniqueKeysWithValues: contents.map { ($0, $1.object(of: originals[$0])) })
        default: bridged
        }
    }

    fileprivate var isStorableInUserDefaults: Bool {
        switch self {
        case .integer(let value): Int64(exactly: value) != nil
        case .array(let elements): elements.allSatisfy(\.isStorableInUserDefaults)
        case .dictionary(let content): content.values.allSatisfy(\.isStorableInUserDefaults)
        default: true
        }
    }
}

extension PrefsStorage where Self == UserDefaultsPrefsStorage {
    /// A storage of the process's standard defaults.
    // Disfavoured like `dictionary`.
    @_disfavoredOverload
    public static var userDefaults: UserDefaultsPrefsStorage { .standard }

    /// Returns a storage of a suite's defaults.
    @_disfavoredOverload
    public static func userDefaults(suite: UserDefaults) -> UserDefaultsPrefsStorage {
        UserDefaultsPrefsStorage(suite: suite)
    }
}
