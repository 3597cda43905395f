import Foundation
import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsDocuments
import PrefsSystem

/// The Swift values whose stored forms read back as another type.
final class Originals: Sendable {
    // Sendable: as in PrefsKit, a program that stores objects that are not Sendable is responsible for sharing
    // them.
    private struct Original: @unchecked Sendable {
        let value: Any
        let stored: PrefsValue
    }

    private let table = Lock<[String: Original]>([:])

    /// Keeps a value if its stored form reads back as another type. Returns the stored form, or the description of
    /// a value that has none.
    ///
    /// It is called before the stored form is written, so that observers read the value.
    func keep(_ value: Any, forKey key: String) -> PrefsValue {
        let stored = PrefsValue(bridging: value) ?? .string("\(value)")
        replace(Self.isPlain(value) ? nil : Original(value: value, stored: stored), forKey: key)
        return stored
    }

    /// Releases the value that was kept for a key whose value is removed.
    func drop(forKey key: String) { replace(nil, forKey: key) }

    private func replace(_ original: Original?, forKey key: String) {
        let old = table.withLock { table in
            defer { table[key] = original }
            return table[key]
        }
        // Released with no mutex held, because an object of the program may use the storage as it goes.
        withExtendedLifetime(old) {}
    }

    /// Keeps values, and returns their stored forms.
    func keep(_ values: [String: Any]) -> [String: PrefsValue] {
        values.reduce(into: [:]) { $0[$1.key] = keep($1.value, forKey: $1.key) }
    }

    /// Returns the value that was stored for a key, unless the key has been written in another way since.
    func value(forKey key: String, storedAs stored: PrefsValue?) -> Any? {
        table.withLock { $0[key] }.flatMap { $0.stored == stored ? $0.value : nil }
    }

    /// True if the stored form of a value reads back as the same type. Foundation's casts convert between
    /// numeric types, so types are compared.
    private static func isPlain(_ value: Any) -> Bool {
        switch type(of: value) {
        case is String.Type, is Int.Type, is Bool.Type, is Double.Type, is Data.Type, is Date.Type,
            is PrefsValue.Type, is [PrefsValue].Type, is [String: PrefsValue].Type:
            true
        default:
            if let elements = value as? [Any] {
                elements.allSatisfy(isPlain)
            } else if let contents = value as? [String: Any] {
                contents.values.allSatisfy(isPlain)
            } else {
                false
            }
        }
    }
}

extension LayeredPrefs.PrefsStorage {
    /// The Swift values that this storage, or the storage that it wraps, keeps; `nil` if it keeps none.
    var keptOriginals: Originals? {
        let storage: any LayeredPrefs.PrefsStorage = (self as? AnyPrefsStorage)?.wrapped ?? self
        return (storage as? DictionaryPrefsStorage)?.originals
    }

    /// Returns the stored form of a value that is about to be stored.
    ///
    /// - Throws: ``PrefsError`` that names the key, for a value without one.
    func storedForm(of value: Any, forKey key: String) throws(PrefsError) -> PrefsValue {
        if let originals = keptOriginals { return originals.keep(value, forKey: key) }
        return try PrefsValue(storing: value, forKey: key)
    }
}
