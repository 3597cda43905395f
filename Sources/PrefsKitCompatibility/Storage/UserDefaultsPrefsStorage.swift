public import Foundation
public import LayeredPrefs
public import LayeredPrefsUserDefaults
import PrefsDocuments

/// PrefsKit's storage over `UserDefaults`. You may subclass it.
///
/// It forwards to the class of the same name in LayeredPrefsUserDefaults, whose documentation describes Foundation's behaviour on
/// Linux.
// Sendable: the only stored property is a constant and Sendable. A subclass is responsible for its own properties.
open class UserDefaultsPrefsStorage: NativePrefsStorage, @unchecked Sendable {
    private let contents: LayeredPrefsUserDefaults.UserDefaultsPrefsStorage

    /// The defaults behind this storage.
    public var suite: UserDefaults { contents.suite }

    /// Creates a storage for a suite.
    public init(suite: UserDefaults = .standard) {
        contents = LayeredPrefsUserDefaults.UserDefaultsPrefsStorage(suite: suite)
    }
}

extension UserDefaultsPrefsStorage {
    /// Stores a value, or removes it if it is `nil`. A failure is reported as a diagnostic.
    public func setStorageValue<Value: PrefsStorageValue>(forKey key: String, to value: Value?) {
        setUnsafeStorageValue(forKey: key, to: value)
    }

    /// Stores a value whose type is known only at run time, or removes it if it is `nil`. A failure is reported
    /// as a diagnostic.
    public func setUnsafeStorageValue(forKey key: String, to value: Any?) {
        reporting(key: key) {
            let stored = try value.map { try PrefsValue(storing: $0, forKey: key) }
            try contents.setValue(stored, of: value, forKey: key)
        }
    }

    /// Returns the stored value as a Swift type. An integer is an `Int`, and elements are not optional.
    public func unsafeStorageValue(forKey key: String) -> Any? {
        contents._candidates(forKey: key).first?.isText == true
            ? contents.value(forKey: key)?.bridged : suite.object(forKey: key).map(Self.plain)
    }

    /// Returns the stored array, or `nil` if there is none.
    @_disfavoredOverload
    public func unsafeStorageValue(forKey key: String) -> [Any]? {
        let value: Any? = unsafeStorageValue(forKey: key)
        return value as? [Any]
    }

    /// Returns the stored dictionary, or `nil` if there is none.
    @_disfavoredOverload
    public func unsafeStorageValue(forKey key: String) -> [String: Any]? {
        let value: Any? = unsafeStorageValue(forKey: key)
        return value as? [String: Any]
    }

    /// Foundation returns integers as `Int64` and elements as optionals.
    private static func plain(_ object: Any) -> Any {
        switch object {
        case let value as Int64: Int(value)
        case let value as [Any?]: value.compactMap { $0.map(plain) }
        case let value as [String: Any?]: value.compactMapValues { $0.map(plain) }
        default: object
        }
    }
}

extension UserDefaultsPrefsStorage: PrefsStorageImportable, PrefsStorageExportable {}

extension UserDefaultsPrefsStorage: ForwardingStorage {
    package var target: any LayeredPrefs.PrefsStorage { contents }

    /// Writes to disk the values that have been set so far.
    ///
    /// - Throws: ``PrefsError`` if Foundation reports a failure.
    public func synchronize() throws { try contents.synchronize() }
}

extension LayeredPrefs.PrefsStorage where Self == UserDefaultsPrefsStorage {
    /// The process's standard defaults.
    public static var userDefaults: UserDefaultsPrefsStorage { UserDefaultsPrefsStorage() }

    /// The defaults of a suite.
    public static func userDefaults(suite: UserDefaults) -> UserDefaultsPrefsStorage {
        UserDefaultsPrefsStorage(suite: suite)
    }
}

extension LayeredPrefsUserDefaults.UserDefaultsPrefsStorage: NativePrefsStorage, PrefsStorageImportable,
    PrefsStorageExportable
{}
