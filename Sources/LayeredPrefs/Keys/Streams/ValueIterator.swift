/// The iterator over the values of one or more keys, from the moment it was created.
public struct ValueIterator<Value: Sendable>: AsyncIteratorProtocol {
    public typealias Failure = Never

    /// Ends the registration when the last copy of the iterator is released.
    private final class Registration: Sendable {
        private let observations: [PrefsObservation]
        private let continuation: AsyncStream<Value>.Continuation

        init(_ observations: [PrefsObservation], _ continuation: AsyncStream<Value>.Continuation) {
            self.observations = observations
            self.continuation = continuation
            continuation.onTermination = { _ in
                for observation in observations { observation.cancel() }
            }
        }

        deinit { continuation.finish() }
    }

    private let registration: Registration
    private var changes: AsyncStream<Value>.Iterator
    private var initial: Value?

    /// - Parameters:
    ///   - read: Returns the current value; it keeps the store alive as long as the registration.
    ///   - reading: Returns the value in a snapshot.
    init(
        emitsInitialValue: Bool,
        bufferingPolicy: AsyncStream<Value>.Continuation.BufferingPolicy,
        keys: [any PersistentKeyProtocol],
        of store: any PrefsStorage,
        read: @escaping @Sendable () -> ValueWatch<Value>.Reading,
        reading: @escaping @Sendable (PrefsSnapshot) -> ValueWatch<Value>.Reading
    ) {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: bufferingPolicy)
        let watch = ValueWatch(read: read) { _, new in continuation.yield(new) }
        let (start, registrations) = watch.follow(keys, of: store, reading: reading)
        registration = Registration(registrations, continuation)
        var first: Value?
        watch.start(from: start) { first = $0 }
        initial = emitsInitialValue ? first : nil
        changes = stream.makeAsyncIterator()
    }

    /// Returns the next value; `nil` once the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
        if let value = initial {
            initial = nil
            if !Task.isCancelled { return value }
        }
        return await changes.next(isolation: actor)
    }
}
