/// The events of one path, one after the other.
///
/// Watching began when ``FileWatcher/events(for:)`` returned and ends with the task that iterates, or with
/// the last copy of the sequence. Events that nobody fetched are merged into the newest one. As with
/// `AsyncStream`, one task iterates.
public struct FileEvents: AsyncSequence, Sendable {
    /// A watched path never fails.
    public typealias Failure = Never
    /// See ``FileEvent``.
    public typealias Element = FileEvent

    /// Waits for one event at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<FileEvent>.AsyncIterator

        /// The next event; nil after cancellation.
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

    /// The sequence's one iterator.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: stream.makeAsyncIterator())
    }
}
