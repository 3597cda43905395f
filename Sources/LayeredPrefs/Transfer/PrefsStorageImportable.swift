public import PrefsDocuments
public import FoundationEssentials

/// A storage that can import contents, either replacing its own or merging into them.
///
/// Conforming requires no members if single keys can be written. A storage that can change several keys
/// atomically implements ``update(_:)``.
public protocol PrefsStorageImportable: PrefsStorage {
    /// Changes the contents. `body` receives the current contents and modifies them.
    ///
    /// - Throws: Any error of `body`, in which case nothing is changed; ``PrefsError`` if a key cannot be
    ///   written.
    func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws
}

/// An importable storage that can be created from imported contents.
public protocol PrefsStorageInitializable: PrefsStorageImportable {
    /// Creates a storage that holds the given values.
    init(values: [String: PrefsValue])
}

extension PrefsStorageImportable {
    /// Changes the contents, writing one key after the other.
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        let before = snapshot.dictionary
        var content = before
        try body(&content)
        for key in Set(before.keys).union(content.keys) where before[key] != content[key] {
            try setValue(content[key], forKey: key)
        }
    }
}

extension PrefsStorageImportable {
    /// Imports values.
    ///
    /// - Returns: The keys whose values were taken.
    /// - Throws: ``PrefsError`` if a key cannot be written; any error of an update strategy's closure, in
    ///   which case nothing is changed.
    @discardableResult
    public func load(
        from values: [String: any PrefsStorageValue], by strategy: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(values: values.mapValues(\.prefsValue), by: strategy)
    }

    /// Imports values whose types are known only at run time, such as those of a property list parser.
    ///
    /// - Returns: The keys whose values were taken.
    /// - Throws: ``PrefsError`` that names a key whose value has no stored form, in which case nothing is
    ///   changed.
    @discardableResult
    public func load(
        unsafe values: [String: Any], by strategy: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(values: Self.bridging(values), by: strategy)
    }

    /// Imports the contents of a file.
    ///
    /// - Returns: The keys whose values were taken.
    @discardableResult
    public func load(
        from file: URL,
        format: some PrefsStorageImportFormatFileImportable,
        by strategy: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(values: format.load(from: file), by: strategy)
    }

    /// Imports the contents of a file from its bytes.
    ///
    /// - Returns: The keys whose values were taken.
    @discardableResult
    public func load(
        from data: Data,
        format: some PrefsStorageImportFormatDataImportable,
        by strategy: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(values: format.load(from: data), by: strategy)
    }

    /// Imports the contents of a file from its text.
    ///
    /// - Returns: The keys whose values were taken.
    @discardableResult
    public func load(
        from string: String,
        format: some PrefsStorageImportFormatStringImportable,
        by strategy: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(values: format.load(from: string), by: strategy)
    }

    func load(values: [String: PrefsValue], by strategy: PrefsStorageUpdateStrategy) throws -> Set<String> {
        var taken: Set<String> = []
        try update { taken = try strategy.apply(values, to: &$0) }
        return taken
    }

    static func bridging(_ values: [String: Any]) throws(PrefsError) -> [String: PrefsValue] {
        var result: [String: PrefsValue] = [:]
        for (key, value) in values {
            guard let stored = PrefsValue(bridging: value) else {
                throw PrefsError(
                    .notEncodable, key: key, reason: "values of type \(type(of: value)) have no stored form")
            }
            result[key] = stored
        }
        return result
    }
}

extension PrefsStorageInitializable {
    /// Creates a storage with the contents of a file, which is read once.
    public init(from file: URL, format: some PrefsStorageImportFormatFileImportable) throws {
        self.init(values: try format.load(from: file))
    }

    /// Creates a storage with the contents of a file, from its bytes.
    public init(from data: Data, format: some PrefsStorageImportFormatDataImportable) throws {
        self.init(values: try format.load(from: data))
    }

    /// Creates a storage with the contents of a file, from its text.
    public init(from string: String, format: some PrefsStorageImportFormatStringImportable) throws {
        self.init(values: try format.load(from: string))
    }
}
