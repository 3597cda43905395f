extension PrefsStack {
    /// Declares the keys of a schema with their fields.
    func declare(_ keys: [PrefsKeyDescription]) {
        for key in keys { note(fields: key.fields.map(\.names), of: key.name) }
        declare(keys.map(\.names))
        for key in keys { key.declare(self, key.path) }
    }

    /// Declares the keys of a schema, `Prefs.keys`, and checks the arguments on the command line.
    ///
    /// An argument is wrong if it sets no declared key, or a value that its key rejects; see
    /// ``checkArguments()``.
    ///
    /// - Throws: ``PrefsError`` with the code `usage` for a wrong argument. Its ``PrefsError/exitStatus`` is
    ///   64.
    public func checkArguments(of keys: [PrefsKeyDescription]) throws {
        declare(keys)
        try checkArguments()
    }
}
