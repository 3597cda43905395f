public import Foundation
import LayeredPrefs
import LayeredPrefsUserDefaults
import PrefsDocuments

/// A storage that can import contents. An import replaces the storage's contents, or is merged into them.
///
/// `FilePrefsStorage` and the storages in memory and over `UserDefaults` conform, both LayeredPrefs' own and those in
/// this module. If your storage is a ``NativePrefsStorage``, it can conform without implementing anything.
public protocol PrefsStorageImportable: PrefsStorage {
    /// Imports values.
    ///
    /// - Returns: The keys whose values were imported.
    /// - Throws: ``PrefsError`` if a key cannot be written. Any error of an update strategy's closure is rethrown,
    ///   and nothing is changed.
    @discardableResult
    func load(
        from contents: [String: any PrefsStorageValue], by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String>

    /// Imports values whose types are known only at run time, such as the output of a property list parser.
    ///
    /// - Returns: The keys whose values were imported.
    /// - Throws: ``PrefsError`` if a value has no stored form. The error names its key, and nothing is changed.
    @discardableResult
    func load(unsafe contents: [String: Any], by behavior: PrefsStorageUpdateStrategy) throws -> Set<String>
}

/// An importable storage that can be created from imported contents.
public protocol PrefsStorageInitializable: PrefsStorageImportable {
    /// Creates a storage with the contents of a file, which is read once.
    init<Format: PrefsStorageImportFormatFileImportable>(from url: URL, format: Format) throws

    /// Creates a storage with the contents of a file, from its bytes.
    init<Format: PrefsStorageImportFormatDataImportable>(from data: Data, format: Format) throws

    /// Creates a storage with the contents of a file, from its text.
    init<Format: PrefsStorageImportFormatStringImportable>(from string: String, format: Format) throws
}

extension PrefsStorageImportable {
    /// Imports the contents of a file.
    ///
    /// - Returns: The keys whose values were imported.
    @discardableResult
    public func load(
        from url: URL,
        format: some PrefsStorageImportFormatFileImportable,
        by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(unsafe: format.load(from: url), by: behavior)
    }

    /// Imports the contents of a file from its bytes.
    ///
    /// - Returns: The keys whose values were imported.
    @discardableResult
    public func load(
        from data: Data,
        format: some PrefsStorageImportFormatDataImportable,
        by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(unsafe: format.load(from: data), by: behavior)
    }

    /// Imports the contents of a file from its text.
    ///
    /// - Returns: The keys whose values were imported.
    @discardableResult
    public func load(
        from string: String,
        format: some PrefsStorageImportFormatStringImportable,
        by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(unsafe: format.load(from: string), by: behavior)
    }
}

extension PrefsStorageImportable where Self: NativePrefsStorage {
    @discardableResult
    public func load(
        from contents: [String: any PrefsStorageValue], by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(unsafe: contents, by: behavior)
    }

    @discardableResult
    public func load(
        unsafe contents: [String: Any], by behavior: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        var taken: Set<String> = []
        try updateContents { present in
            taken = try behavior.keys(of: contents, over: present.keys, old: unsafeStorageValue(forKey:))
            let values = try contents.filter { taken.contains($0.key) }.map { key, value in
                (key, try storedForm(of: value, forKey: key))
            }
            if case .reinitializing = behavior { present = [:] }
            for (key, value) in values { present[key] = value }
        }
        return taken
    }

    /// Changes the contents as one change if the storage can do that, and otherwise one key after the other.
    private func updateContents(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        if let storage = self as? any UpdatedAtOnce { return try storage.update(body) }
        let before = snapshot.dictionary
        var contents = before
        try body(&contents)
        for key in Set(before.keys).union(contents.keys) where before[key] != contents[key] {
            try setValue(contents[key], forKey: key)
        }
    }
}

/// A storage that changes any number of keys as one change.
protocol UpdatedAtOnce: NativePrefsStorage {
    func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws
}

extension PrefsStorageUpdateStrategy {
    /// Returns the keys whose imported values are to be taken.
    fileprivate func keys(
        of contents: [String: Any], over present: some Collection<String>, old: (String) -> Any?
    ) throws -> Set<String> {
        guard case .updatingWithPredicate(let predicate) = self else { return Set(contents.keys) }
        let present = Set(present)
        let taken = try contents.filter { key, value in
            guard present.contains(key), let old = old(key) else { return true }
            return try predicate(key, old, Self.plain(value)) == .takeNewValue
        }
        return Set(taken.keys)
    }

    /// Returns a Swift value for a value that Foundation's parsers wrap in an object.
    private static func plain(_ value: Any) -> Any {
        value is NSObject ? PrefsValue(bridging: value)?.bridged ?? value : value
    }
}
