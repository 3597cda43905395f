import PrefsDocuments

// For a program that wants one struct of everything below a path, and no keys.
extension PrefsStorage {
    /// Returns everything stored at and below a path as one value, merged per field over all layers.
    ///
    /// ```swift
    /// struct ServerOptions: Codable { var host: String; var port: UInt16; var timeout: Duration? }
    ///
    /// let options = try storage.get(ServerOptions.self, at: "server")
    /// ```
    ///
    /// A field that is wrong in one layer is taken from the next lower one that has it. All values are of one
    /// generation.
    ///
    /// - Parameters:
    ///   - type: The type; ``CodablePrefsCoding`` describes its stored form.
    ///   - path: The name or dotted path of a dictionary.
    /// - Returns: The value; `nil` if nothing is stored there.
    /// - Throws: ``PrefsError``, with the key and place of the first field that is wrong or missing, if what
    ///   is stored does not make a value. A type with a default for each field has none of these: declare a
    ///   ``PersistentKey`` with that default.
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
    /// An element is `nil` if nothing is stored there, or if it does not make a value; that is reported to
    /// ``diagnostics``.
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
