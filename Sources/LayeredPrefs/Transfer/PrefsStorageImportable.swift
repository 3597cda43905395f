public import PrefsDocuments
public import FoundationEssentials

/// A storage whose contents can be loaded from elsewhere, as a whole or merged into what it has.
///
/// Conforming takes nothing more where single keys can be written. A storage that can change several keys as
/// one implements ``update(_:)`` itself.
public protocol PrefsStorageImportable: PrefsStorage {
    /// Changes the contents: `body` gets what there is and leaves what there is to be.
    ///
    /// - Throws: What `body` throws, with nothing changed; ``PrefsError`` when a key cannot be written.
    func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws
}

/// An importable storage that can be made from loaded contents.
public protocol PrefsStorageInitializable: PrefsStorageImportable {
    /// A storage that holds these values.
    init(values: [String: PrefsValue])
}

extension PrefsStorageImportable {
    public func update(_ body: (inout [String: PrefsValue]) throws -> Void) throws {
        let before = snapshot.dictionary
        var content = before
        try body(&content)
        for key in Set(before.keys).union(content.keys) where before[key] != content[key] {
            try setPrefsValue(content[key], forKey: key)
        }
    }
}

extension PrefsStorageImportable {
    /// Loads values.
    ///
    /// - Returns: The keys whose values were taken.
    /// - Throws: ``PrefsError``, or what an update strategy's closure throws; the contents are then what they
    ///   were.
    @discardableResult
    public func load(
        from values: [String: any PrefsStorageValue], by strategy: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(values: values.mapValues(\.prefsValue), by: strategy)
    }

    /// Loads values whose types are known only at run time, as a property list parser gives them.
    ///
    /// - Returns: The keys whose values were taken.
    /// - Throws: ``PrefsError`` that names a key whose value has no stored form; nothing is loaded then.
    @discardableResult
    public func load(
        unsafe values: [String: Any], by strategy: PrefsStorageUpdateStrategy
    ) throws -> Set<String> {
        try load(values: Self.bridging(values), by: strategy)
    }

    /// Loads the contents of a file.
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

    /// Loads the contents of a file that is in memory already.
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

    /// Loads the contents of a text file that is in memory already.
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
    /// A storage with the contents of a file.
    public init(from file: URL, format: some PrefsStorageImportFormatFileImportable) throws {
        self.init(values: try format.load(from: file))
    }

    /// A storage with the contents of a file that is in memory already.
    public init(from data: Data, format: some PrefsStorageImportFormatDataImportable) throws {
        self.init(values: try format.load(from: data))
    }

    /// A storage with the contents of a text file that is in memory already.
    public init(from string: String, format: some PrefsStorageImportFormatStringImportable) throws {
        self.init(values: try format.load(from: string))
    }
}
