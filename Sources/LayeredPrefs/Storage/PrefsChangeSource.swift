import PrefsSystem
public import Synchronization

/// A generation counter that a storage uses to announce changes of its contents.
///
/// A storage owns one change source. It publishes new contents, and then calls ``advance()``. ``generation``
/// grows with every advance, and is unique in the process. So a reader can cache a value together with its
/// generation, and find out with one atomic load whether the value is still valid.
public final class PrefsChangeSource: Sendable {
    private struct State {
        /// The number of active scopes that read differently from the rest of the program.
        var scopes = 0
        /// The current generation, even while `current` hides it because a scope is active.
        var generation: UInt64 = 0
        /// The source of the storage that contains this one. Its queue reads the files of this storage.
        weak var container: PrefsChangeSource?
        var reloads: ReloadQueue?
    }

    @usableFromInline let current = Atomic<UInt64>(PrefsChangeSource.nextGeneration())
    private let state = Lock(State())
    private let observers = CallbackList<Void>()

    /// The number of revisions that the owner's sources have published.
    private let publications = Atomic<UInt64>(0)
    /// The number of these revisions that ``announce()`` has announced.
    private let announced = Atomic<UInt64>(0)

    /// True if the owner is known to advance this source whenever its contents differ.
    let isExact: Bool

    /// The observers of the time that it takes to read edited files, for the outermost storage.
    let reloadDurations = CallbackList<Duration>()

    /// The policy that combines edits of the owner's files; `nil` if the owner has no files.
    private let coalescing: PrefsCoalescing?

    /// Creates a change source with a new, unique generation.
    ///
    /// - Parameter announcesEveryChange: A Boolean value that indicates whether the owner calls ``advance()``
    ///   each time its contents differ. If it does, typed reads need not look at the contents each time.
    public convenience init(announcesEveryChange: Bool = false) { self.init(isExact: announcesEveryChange) }

    init(isExact: Bool, coalescing: PrefsCoalescing? = nil) {
        self.isExact = isExact
        self.coalescing = coalescing
    }

    /// A source that never allows caching. It replaces the source of a storage that does not announce its
    /// changes.
    static let withoutCaching: PrefsChangeSource = {
        let source = PrefsChangeSource(isExact: false)
        source.beginScope()
        return source
    }()

    /// The generation of the current contents.
    ///
    /// The value is `UInt64.max` while nothing may be cached, because a scope of
    /// ``PrefsStack/withOverrides(_:_:)`` reads other values.
    @inlinable public var generation: UInt64 { current.load(ordering: .acquiring) }

    /// Announces that contents were published: advances ``generation``, then notifies the observers.
    ///
    /// Call this method after the new contents can be read. Do not hold a mutex that an observer might
    /// acquire, because the observers are called on this thread.
    public func advance() {
        advance(to: Self.nextGeneration())
        notify()
    }

    /// Calls `body` after every advance until the observation is cancelled or released.
    ///
    /// The call is made on the thread that advanced.
    public func observe(_ body: @escaping @Sendable () -> Void) -> PrefsObservation {
        observers.add(body)
    }

    /// Advances the generation without notifying observers. It never goes back, even if two threads advance
    /// at once.
    func advance(to generation: UInt64) { advance { max($0, generation) } }

    private func advance(_ next: (_ current: UInt64) -> UInt64) {
        state.withLock { state in
            let next = next(state.scopes == 0 ? current.load(ordering: .relaxed) : state.generation)
            state.generation = next
            if state.scopes == 0 { current.store(next, ordering: .releasing) }
        }
    }

    /// Disables caching until the matching ``endScope()``, because what one task reads now differs from what
    /// the others read.
    func beginScope() {
        state.withLock { state in
            if state.scopes == 0 {
                state.generation = current.exchange(.max, ordering: .acquiringAndReleasing)
            }
            state.scopes += 1
        }
    }

    /// Ends a scope that ``beginScope()`` began.
    func endScope() {
        state.withLock { state in
            state.scopes -= 1
            if state.scopes == 0 { current.store(state.generation, ordering: .releasing) }
        }
    }

    /// Notifies the observers in the order of their registration.
    func notify() { observers.call(with: ()) }

    private static let lastGeneration = Atomic<UInt64>(0)

    /// Returns a number larger than any returned before in this process.
    static func nextGeneration() -> UInt64 {
        lastGeneration.add(1, ordering: .relaxed).newValue
    }
}

extension PrefsChangeSource {
    /// The number of revisions that the owner's sources have published. Contents that are read after this
    /// number are at least as new.
    var publicationCount: UInt64 { publications.load(ordering: .acquiring) }

    /// Records that a source has published a revision. Call it after the publication and before ``announce()``.
    ///
    /// - Parameter generation: The next generation; `nil` if the contents are equal, perhaps on other lines.
    func notePublication(at generation: UInt64?) {
        // Count first, so that a reader who finds the new generation also finds the new revision.
        publications.add(1, ordering: .acquiringAndReleasing)
        guard let generation else { return }
        // Another source may have advanced further. A reader at that generation may not have found this
        // revision, so the generation must advance again.
        advance { $0 < generation ? generation : Self.nextGeneration() }
    }

    /// Notifies the observers once of all revisions that have been published but not announced.
    func announce() {
        let published = publicationCount
        if announced.load(ordering: .acquiring) >= published { return }
        notify()
        // Not before the observers have been notified: a thread that finds its revision announced returns,
        // and its observers must have been called by then.
        announced.max(published, ordering: .acquiringAndReleasing)
    }

    /// The queue that reads the owner's edited files; `nil` if the owner has no files.
    ///
    /// It is the queue of the outermost storage, so that the files of a stack take effect together.
    var reloads: ReloadQueue? {
        guard let coalescing else { return nil }
        let (container, own) = state.withLock { state -> (PrefsChangeSource?, ReloadQueue?) in
            if let container = state.container { return (container, nil) }
            let own = state.reloads ?? ReloadQueue(coalescing, measuring: reloadDurations)
            state.reloads = own
            return (nil, own)
        }
        return container?.reloads ?? own
    }

    /// Lets a storage that contains this one read the edited files of both. If this source has joined another
    /// container before, that container keeps reading them.
    func join(_ container: PrefsChangeSource) {
        state.withLock { state in
            if state.container == nil { state.container = container }
        }
    }

    /// Reads the recorded edits, immediately or soon.
    func runReloads() {
        // Edits may have been noted just before this source joined its container.
        let (own, container) = state.withLock { ($0.reloads, $0.container) }
        own?.run()
        container?.runReloads()
    }
}
