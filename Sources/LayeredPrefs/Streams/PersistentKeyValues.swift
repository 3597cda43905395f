import PrefsDocuments

/// An asynchronous sequence of the values of one or more keys.
///
/// ```swift
/// for await level in storage.values(for: .logLevel) {
///     logger.logLevel = level
/// }
/// ```
///
/// Each iterator registers with the storage when it is created, before the first value is read, so no change
/// is lost in between. It deregisters once, when its task is cancelled or the iterator is released.
/// Successive equal values appear once. If the sequence follows several keys, the values of one element are
/// from the same moment.
///
/// The storage decides which values are delivered:
///
/// - A ``PrefsStack`` delivers every committed value in the order of the generations.
/// - A storage of this library that holds one file or dictionary delivers every value that it held.
/// - Any other storage is read again when it reports a change. Its last value is always delivered, but a
///   value that was soon replaced may be skipped.
/// - A storage that cannot report changes delivers the current value, and then nothing until the task is
///   cancelled.
///
/// With the first two storages and the policy `.unbounded`, no value is missing.
public struct PersistentKeyValues<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = Never
    /// The policy for changes that arrive before the next element is requested.
    public typealias BufferingPolicy = AsyncStream<Value>.Continuation.BufferingPolicy

    /// A value and the stored forms that distinguish it from others.
    struct Reading: Sendable {
        var value: Value
        /// The stored forms of the values read; `nil` never equals another reading.
        var identity: [PrefsValue?]?

        func isSame(as other: Reading) -> Bool { identity != nil && identity == other.identity }
    }

    /// A Boolean value that indicates whether the current value comes first. It does not count as buffered.
    public let emitsInitialValue: Bool
    /// The policy for changes that arrive before the next element is requested.
    public let bufferingPolicy: BufferingPolicy
    private let store: any PrefsStorage
    private let follower: KeyFollower<Reading>

    /// Creates a sequence of a key's values in a storage.
    public init(
        _ key: PersistentKey<Value>,
        store: any PrefsStorage,
        emitsInitialValue: Bool = true,
        bufferingPolicy: BufferingPolicy = .bufferingNewest(1)
    ) {
        self.init(
            [ObservedKey(key)], store: store, emitsInitialValue, bufferingPolicy,
            read: { key.reading(of: $0.get(key)) },
            readSnapshot: { key.reading(of: $0.get(key)) })
    }

    /// - Parameters:
    ///   - read: Returns the current values in the store.
    ///   - readSnapshot: Returns the values in a snapshot.
    init(
        _ keys: [ObservedKey], store: any PrefsStorage, _ emitsInitialValue: Bool,
        _ bufferingPolicy: BufferingPolicy,
        read: @escaping @Sendable (any PrefsStorage) -> Reading,
        readSnapshot: @escaping @Sendable (PrefsSnapshot) -> Reading
    ) {
        self.store = store
        self.emitsInitialValue = emitsInitialValue
        self.bufferingPolicy = bufferingPolicy
        follower = KeyFollower(
            keys: keys, read: read, readSnapshot: readSnapshot, isSame: { $0.isSame(as: $1) },
            keepsEveryStep: bufferingPolicy.keepsEveryStep)
    }

    /// Calls `receiveValue` with the current value and every change, until the observation is cancelled or
    /// released.
    ///
    /// The current value is delivered before this method returns, if ``emitsInitialValue`` is true. Later
    /// calls are made as described for ``PrefsStorage/observe(_:_:)``.
    ///
    /// No value is buffered. With the default policy, however, an observer that falls far behind receives
    /// several changes as one. With any other policy, it receives each change.
    public func sink(_ receiveValue: @escaping @Sendable (Value) -> Void) -> PrefsObservation {
        follow(first: { if emitsInitialValue { receiveValue($0) } }, receiveValue)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    private func follow(
        first: (Value) -> Void, _ receive: @escaping @Sendable (Value) -> Void
    ) -> PrefsObservation {
        follower.follow(store, first: { first($0.value) }) { _, new, _ in receive(new.value) }
    }

    /// An iterator over the values from the moment when it was created.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = Never

        private var changes: AsyncStream<Value>.Iterator
        private var initial: Value?

        init(_ values: PersistentKeyValues) {
            let (stream, continuation) = AsyncStream<Value>.makeStream(
                bufferingPolicy: values.bufferingPolicy)
            var first: Value?
            let observation = values.follow(first: { first = $0 }) { continuation.yield($0) }
            // Called when the task is cancelled or the last copy of the iterator is released. Until then, the
            // sequence keeps its store alive.
            continuation.onTermination = { [store = values.store] _ in
                withExtendedLifetime(store) { observation.cancel() }
            }
            initial = values.emitsInitialValue ? first : nil
            changes = stream.makeAsyncIterator()
        }

        /// Returns the next value, or `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
            if let value = initial {
                initial = nil
                if !Task.isCancelled { return value }
            }
            return await changes.next(isolation: actor)
        }
    }
}

extension AsyncStream.Continuation.BufferingPolicy {
    /// False if only the newest value is kept, because skipping a step then makes no difference.
    fileprivate var keepsEveryStep: Bool {
        if case .bufferingNewest(let count) = self { count > 1 } else { true }
    }
}

extension PersistentKey {
    /// Returns a value with its stored form for comparison.
    ///
    /// The stored form belongs to the value, not to the contents of the store. If a layer below the effective
    /// one changes, or another rejected value replaces a rejected one, a reader of this key sees no
    /// difference.
    ///
    ///     user      8080
    ///     system    70 → 71      the value is still 8080: no change
    fileprivate func reading(of value: Value) -> PersistentKeyValues<Value>.Reading {
        PersistentKeyValues.Reading(value: value, identity: identity(of: value).map { [$0] })
    }

    /// Returns the stored form that distinguishes a value from others. Absence counts as a form. Returns
    /// `nil` if the value has no stored form.
    func identity(of value: Value) -> PrefsValue?? {
        do {
            return .some(try coding.encode(value))
        } catch {
            return nil
        }
    }
}
