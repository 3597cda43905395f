import PrefsSystem

extension WatchHub {
    // One hub of each kind per process, and the only global state of this module: inotify instances are limited
    // to 128 per user by default, and libinotifytools has one instance per process by design.
    private static let kernel = WatchHub(.kernel)
    private static let inotifyTools = WatchHub(.inotifyTools)
    private static let polling = WatchHub(.polling)

    /// Adds a subscription to the first hub that accepts it, and returns that hub.
    static func add(_ subscription: Subscription, on engine: FileWatcherEngine) -> WatchHub {
        let hubs = all(for: engine)
        for hub in hubs.dropLast() where (try? hub.add(subscription)) != nil {
            return hub
        }
        // The last hub accepts every subscription.
        try? hubs[hubs.count - 1].add(subscription)
        return hubs[hubs.count - 1]
    }

    /// Returns the hubs that can serve an engine, the preferred one first.
    static func all(for engine: FileWatcherEngine) -> [WatchHub] {
        switch engine.kind {
        case .automatic, .inotifyTools:
            #if InotifyTools
                [inotifyTools, kernel]
            #else
                [kernel]
            #endif
        case .kernel: [kernel]
        case .polling: [polling]
        case .manual(let engine): [engine.hub]
        }
    }

    /// Returns the engine that serves `requested`, and the reason.
    static func choice(for requested: FileWatcherEngine) -> (engine: FileWatcherEngine, reason: String) {
        let hubs = all(for: requested)
        let rejection = hubs.dropLast().lazy.compactMap(\.rejection).first
        let hub = rejection == nil ? hubs[0] : hubs[hubs.count - 1]
        let problem = hub.problem
        let engine = problem == nil ? hub.engine ?? requested : .polling
        return (engine, problem?.reason ?? rejection?.reason ?? reason(engine, for: requested))
    }

    private static func reason(_ engine: FileWatcherEngine, for requested: FileWatcherEngine) -> String {
        if engine == requested { return "requested" }
        return requested == .automatic
            ? "the best engine in this build" : "built without the trait InotifyTools"
    }

    private var rejection: Problem? { state.withLock { $0.rejection } }
    private var problem: Problem? { state.withLock { $0.core.backendProblem } }
}

extension WatchHub {
    /// Returns the status of the paths of a watcher that requested the engine `requested`.
    func paths(of watcher: WatcherToken, requested: FileWatcherEngine) -> [FileWatcherStatus.Path] {
        let engine = self.engine ?? requested
        return state.withLock { state in
            return state.core.paths.values.flatMap { path in
                path.subscriptions.filter { $0.watcher === watcher }.map { path.status($0, engine) }
            }
        }
    }

    /// Returns whether a revision of a subscription's file is whole, as far as the watcher knows.
    func knowledge(of signature: FileSignature?, at subscription: Subscription) -> FileWatch.Knowledge {
        state.withLock { state in
            if state.core.mode == .manual { return .whole }
            return state.core.path(of: subscription)?.knowledge(of: signature) ?? .unknown
        }
    }

    /// Returns the status of one subscription; `nil` if it is not watched.
    func status(of subscription: Subscription, requested: FileWatcherEngine) -> FileWatcherStatus.Path? {
        let engine = self.engine ?? requested
        return state.withLock { $0.core.path(of: subscription)?.status(subscription, engine) }
    }
}

extension WatchedPath {
    fileprivate func status(_ subscription: Subscription, _ engine: FileWatcherEngine)
        -> FileWatcherStatus.Path
    {
        FileWatcherStatus.Path(
            path: subscription.path, engine: problem == nil ? engine : .polling, reason: problem?.reason)
    }
}
