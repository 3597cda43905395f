import PrefsDocuments
import Synchronization

/// Tells one observer from another.
struct ObserverID: Sendable, Hashable {
    private static let last = Atomic<UInt64>(0)
    private let number = Self.last.add(1, ordering: .relaxed).newValue
}

/// What the running code is to observers: the callback of one, perhaps writing what that one knows already.
enum ObserverScope {
    @TaskLocal private static var called: ObserverID?
    @TaskLocal private static var author: ObserverID?

    /// Calls an observer; what it writes is told to everybody, itself included, unless it says otherwise.
    static func call(_ observer: ObserverID, _ body: () -> Void) {
        $called.withValue(observer) { $author.withValue(nil, operation: body) }
    }

    /// Has what `body` writes not told to the observer that is being called.
    static func withoutEcho<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $author.withValue(called, operation: body)
    }

    /// Marks what is being written at some places, when an observer asked not to be told of it.
    static func authorship(of paths: () -> [PrefsPath]) -> PrefsAuthorship? {
        author.map { PrefsAuthorship(observer: $0, paths: paths()) }
    }
}

/// Which observer wrote a version of a source and does not want to be told of it, and the places it wrote.
struct PrefsAuthorship: Sendable {
    let observer: ObserverID
    let paths: [PrefsPath]

    /// Whether everything at and beneath a place is what the observer wrote.
    func covers(_ place: PrefsPath) -> Bool { paths.contains { $0.contains(place) } }
}

extension PrefsObservation {
    /// Called from within an observer's callback, has that observer not be told of what `body` writes;
    /// everybody else is.
    ///
    /// ```swift
    /// let observation = storage.observe(.volume) { change in
    ///     PrefsObservation.withoutEcho { storage.set(.volume, to: min(change.new.value, 10)) }
    /// }
    /// ```
    ///
    /// It holds for the callbacks of a ``LayeredPrefsStorage``, and for those of typed keys over it or over a
    /// storage of this library that holds one file or dictionary. The observer is told all the same where a
    /// change by somebody else at the places it observes comes into force together with the write. Its next
    /// change counts from what it wrote. A task begun within `body` is part of it; a deferred write, which
    /// others make, is not. Outside a callback, and where a stream's elements are consumed, it does nothing.
    public static func withoutEcho<Result>(_ body: () throws -> Result) rethrows -> Result {
        try ObserverScope.withoutEcho(body)
    }
}
