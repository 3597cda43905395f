import PrefsDocuments
import PrefsSystem

extension LayeredPrefsStorage {
    /// Throws if an argument on the command line sets no declared key, or a value that its key rejects.
    ///
    /// Unlike a file, the command line is written by the caller of the program, so a mistake in it ends the start.
    /// The declared keys are those of ``declare(_:)`` and of schemas that have been used;
    /// ``checkArguments(of:)`` declares those of a schema first.
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
    /// - Throws: ``PrefsError`` with the code `usage`; if there are several problems, with an error for each in
    ///   ``PrefsError/related``.
    public func checkArguments() throws {
        let problems = layers.flatMap(argumentProblems)
        guard let first = problems.first else { return }
        if problems.count == 1 { throw first }
        var error = PrefsError(.usage, reason: problems.map(\.description).joined(separator: "; "))
        error.related = problems
        throw error
    }

    private func argumentProblems(of layer: PrefsLayer) -> [PrefsError] {
        guard let arguments = layer.storage as? ArgumentsPrefsStorage else { return [] }
        let name = layer.name.description
        let known = committing.withLock { $0.composition.known }
        let unknown = arguments.problems(against: known).map { problem in
            var problem = problem
            problem.origin?.layer = name
            return problem
        }
        let snapshot = committedSnapshot
        let rejected = reported.rejections.withLock { $0.allChecks }.flatMap { $0(snapshot) }.map(\.error)
            .filter { $0.origin?.layer == name && $0.code != .usage }
        return unknown
            + rejected.map { rejection in
                var problem = rejection
                problem.code = .usage
                return problem
            }
    }
}
