import FileWatching
import PrefsDocuments
import PrefsSystem

extension PrefsStack {
    /// Returns a stack with the layers that a process would have if it started now.
    ///
    /// The new stack reads files now, does not watch them, and has no last good contents of broken files.
    /// Overrides in memory are empty. Defaults, arguments, locks made in code and other modules' storages come
    /// from this stack.
    ///
    /// - Parameter environment: The variables of the new process; `nil` for the variables of this process.
    package func reopened(environment: [String: String]? = nil) -> PrefsStack {
        let copies = layers.map { layer in
            PrefsLayer(
                layer.name, Self.reopened(layer, environment), locking: layer.locks,
                rejectionScope: layer.rejectionScope)
        }
        let copy = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { copies }
        let composition = engine.state.withLock { $0.composition }
        copy.engine.state.withLock { state in
            state.composition.constraints = composition.constraints
            state.composition.locks = composition.locks
            state.composition.known = composition.known
        }
        copy.commit()
        return copy
    }

    private static func reopened(
        _ layer: PrefsLayer, _ environment: [String: String]?
    ) -> any PrefsStorage {
        switch layer.storage {
        case let storage as FilePrefsStorage: storage.reopened()
        case let storage as DirectoryPrefsStorage: storage.reopened()
        case let storage as SystemPrefsStorage: storage.reopened()
        case let storage as EnvironmentPrefsStorage.DotEnv: storage.reopened()
        case let storage as EnvironmentPrefsStorage: storage.reopened(environment)
        case let storage as PrefsStack: storage.reopened(environment: environment)
        case is DictionaryPrefsStorage where layer.name == .overrides: DictionaryPrefsStorage()
        default: layer.storage
        }
    }
}

extension FilePrefsStorage.Options {
    /// The same options for reading once, without watching the file or reporting its problems.
    var unwatched: Self {
        var options = self
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return options
    }
}

extension EnvironmentPrefsStorage {
    fileprivate func reopened(_ environment: [String: String]?) -> EnvironmentPrefsStorage {
        var options = options
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        return EnvironmentPrefsStorage(prefix: prefix, environment: environment, options: options)
    }
}
