import PrefsDocuments

// For a program that wants everything below a path as one struct, without keys.
extension PrefsStorage {
    /// Returns everything stored at and below a path as one value, merged per field over all layers.
    ///
    /// ```swift
    /// struct ServerOptions: Codable { var host: String; var port: UInt16; var timeout: Duration? }
    ///
    /// let options = try storage.get(ServerOptions.self, at: "server")
    /// ```
    ///
    /// If a field is wrong in one layer, it is taken from the next lower layer that has it. All values are
    /// from one generation.
    ///
    /// If your type has a default for each field, declare a ``PersistentKey`` with that default instead.
    /// Reading the key never throws, because wrong and missing fields take their defaults.
    ///
    /// - Parameters:
    ///   - type: The type of the value. It is stored as ``PrefsValueEncoder`` describes.
    ///   - path: The name or dotted path of a dictionary.
    /// - Returns: The value, or `nil` if nothing is stored there.
    /// - Throws: ``PrefsError`` if the stored contents do not make a value, with the key and place of the
    ///   first field that is wrong or missing.
    public func get<Value: Codable & Sendable>(_ type: Value.Type, at path: String) throws -> Value? {
        let key = PersistentKey<Value?>(subtreeAt: path)
        let answer = key.resolve(candidates: _candidates(for: key))
        if let value = answer.value { return value }
        guard let error = answer.rejections.first else { return nil }
        throw error.naming(path)
    }

    /// Returns a sequence of everything stored at and below a path, as one value, now and after every change
    /// in any layer.
    ///
    /// An element is `nil` if nothing is stored there. It is also `nil` if the stored contents do not make a
    /// value, which is reported to ``diagnostics``.
    public func values<Value: Codable & Sendable>(
        of type: Value.Type, at path: String
    ) -> PersistentKeyValues<Value?> {
        values(for: PersistentKey<Value?>(subtreeAt: path))
    }
}

extension PersistentKey {
    /// Creates the key of everything at and below a path.
    fileprivate init<Wrapped: Codable>(subtreeAt path: String) where Value == Wrapped? {
        self.init(
            path, defaultValue: nil, coding: CodablePrefsCoding<Wrapped>(),
            .merge(CodablePrefsCoding<Wrapped>.merge))
    }
}
