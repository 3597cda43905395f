import PrefsDocuments
import Synchronization

/// The identity of an observer.
struct ObserverID: Sendable, Hashable {
    private static let last = Atomic<UInt64>(0)
    private let number = Self.last.add(1, ordering: .relaxed).newValue
}

/// The observer whose callback is running in the current task, and whether its writes should be echoed to it.
enum ObserverScope {
    private struct Roles: Sendable {
        /// The observer whose callback is running.
        var called: ObserverID?
        /// The observer that must not be notified of the current writes.
        var author: ObserverID?
    }

    @TaskLocal private static var roles = Roles()

    /// Calls an observer. All observers, including this one, are notified of its writes unless it uses
    /// `withoutEcho`.
    static func call(_ observer: ObserverID, _ body: () -> Void) {
        $roles.withValue(Roles(called: observer), operation: body)
    }

    /// Runs `body`, of whose writes the observer being called is not notified.
    static func withoutEcho<Result>(_ body: () throws -> Result) rethrows -> Result {
        let called = roles.called
        return try $roles.withValue(Roles(called: called, author: called), operation: body)
    }

    /// Returns the author of a write at some paths, if an observer asked not to be notified of it.
    static func authorship(of paths: () -> [PrefsPath]) -> PrefsAuthorship? {
        roles.author.map { PrefsAuthorship(observer: $0, paths: paths()) }
    }
}

/// The observer that wrote a version of a source and must not be notified of it, with the paths it wrote.
struct PrefsAuthorship: Sendable {
    let observer: ObserverID
    let paths: [PrefsPath]

    /// Returns true if the observer wrote everything at and below a path.
    func covers(_ place: PrefsPath) -> Bool { paths.contains { $0.contains(place) } }
}

extension PrefsObservation {
    /// Suppresses echoes: the observer in whose callback this is called is not notified of the writes in
    /// `body`; all other observers are.
    ///
    /// ```swift
    /// let observation = storage.observe(.volume) { change in
    ///     try PrefsObservation.withoutEcho { try storage.set(.volume, to: min(change.new.value, 10)) }
    /// }
    /// ```
    ///
    /// If another writer changes a value that this observer observes in the same generation, the observer is
    /// notified all the same. For an observer of `http` that writes `http.port` within `body`:
    ///
    /// | changed in the same generation                           | the observer is      |
    /// |----------------------------------------------------------|----------------------|
    /// | `http.port` by this write                                | not notified         |
    /// | `http.port` by this write, `log.level` by another writer | not notified         |
    /// | `http.port` by this write, `http.host` by another writer | notified             |
    /// | `http.port` by this write, a lock on `http`              | notified             |
    ///
    /// The old value of its next change is the one it wrote.
    ///
    /// This applies to callbacks of a ``LayeredPrefsStorage``, and to those of typed keys over a stack or
    /// over one of this library's storages of a single file or dictionary. A task that is created within
    /// `body` inherits it; a deferred write, which runs elsewhere, does not. Outside a callback, and in code
    /// that consumes a stream, it has no effect.
    public static func withoutEcho<Result>(_ body: () throws -> Result) rethrows -> Result {
        try ObserverScope.withoutEcho(body)
    }
}
