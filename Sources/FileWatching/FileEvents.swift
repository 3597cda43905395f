/// An asynchronous sequence of the events of one path.
///
/// Watching has begun when ``FileWatcher/events(for:)`` returns. It ends with the task that iterates, or with the
/// last copy of the sequence. If you do not consume an event before the next one, the two are merged into the newer
/// one. As with `AsyncStream`, only one task may iterate.
public struct FileEvents: AsyncSequence, Sendable {
    /// The sequence never throws, because watching a path cannot fail.
    public typealias Failure = Never
    /// The element type: a ``FileEvent`` for each possible change.
    public typealias Element = FileEvent

    /// An iterator that waits for one event at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<FileEvent>.AsyncIterator

        /// Returns the next event, or `nil` after cancellation.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FileEvent? {
            await base.next(isolation: actor)
        }
    }

    private let stream: AsyncStream<FileEvent>

    init(of path: String, from watcher: FileWatcher) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FileEvent.self, bufferingPolicy: .bufferingNewest(1))
        let watch = watcher.watch(path) { continuation.yield($0) }
        continuation.onTermination = { _ in watch.cancel() }
        self.stream = stream
    }

    /// Creates the sequence's only iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: stream.makeAsyncIterator())
    }
}
