import PrefsDocuments
import PrefsSystem

extension PrefsStack {
    /// Throws if an argument on the command line sets no declared key, or sets a value that its key rejects.
    ///
    /// The person who starts the program has just written the command line. So, unlike in a file, a mistake in it
    /// ends the start. The declared keys are the keys that you have passed to ``declare(_:)``, and the keys of all
    /// schemas that were created with this stack. ``checkArguments(of:)`` declares the keys of a schema first.
    ///
    /// ```swift
    /// do {
    ///     try storage.checkArguments()
    /// } catch let error as PrefsError {
    ///     print("myd: \(error)")
    ///     exit(error.exitStatus)      // 64
    /// }
    /// ```
    ///
    /// - Throws: ``PrefsError`` with the code `usage`. Its ``PrefsError/problems`` contain every problem.
    public func checkArguments() throws {
        let problems = unknownArguments() + rejectedArguments
        guard let first = problems.first else { return }
        if problems.count == 1 { throw first }
        var error = PrefsError(.usage, reason: problems.map(\.description).joined(separator: "; "))
        error.related = problems
        throw error
    }

    /// Returns a problem for each argument that sets neither a declared key nor a key in `names`.
    ///
    /// - Parameter own: The program's own flags, which set no key.
    func unknownArguments(
        declaring names: [PrefsKeyName] = [], ignoring own: Set<String> = []
    ) -> [PrefsError] {
        let layers = argumentLayers
        if layers.isEmpty { return [] }
        finishDeclaring()
        var known = engine.state.withLock { $0.composition.known }
        for name in names { _ = known.insert(name, prefixes: []) }
        return layers.flatMap { name, arguments in
            arguments.problems(against: known, ignoring: own).map { problem in
                var problem = problem
                problem.origin?.layer = name
                return problem
            }
        }
    }

    /// The layers of the command line.
    var argumentLayers: [(name: String, storage: ArgumentsPrefsStorage)] {
        layers.compactMap { layer in
            (layer.storage as? ArgumentsPrefsStorage).map { (layer.name.description, $0) }
        }
    }

    /// Returns true if an error is about an argument.
    func isOfCommandLine(_ error: PrefsError) -> Bool {
        argumentLayers.contains { $0.name == error.origin?.layer }
    }

    /// The values that the declared keys reject.
    var rejectedValues: [RejectedValue] {
        let snapshot = committedSnapshot
        return engine.reporter.rejections.withLock { $0.allChecks }.flatMap { $0.check(snapshot) }
    }

    private var rejectedArguments: [PrefsError] {
        if argumentLayers.isEmpty { return [] }
        return rejectedValues.compactMap { rejected in
            var problem = rejected.error
            guard isOfCommandLine(problem), problem.code != .usage else { return nil }
            problem.code = .usage
            return problem
        }
    }
}
