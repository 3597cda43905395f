/// A sequence of several keys' values as they change, each element a consistent state of all of them.
public struct PersistentKeyValueTuples<Value: Sendable>: AsyncSequence, Sendable {
    public typealias Element = Value
    public typealias Failure = Never
    /// The policy for changes that arrive before the next element is requested.
    public typealias BufferingPolicy = AsyncStream<Value>.Continuation.BufferingPolicy

    private let makeIterator: @Sendable () -> ValueIterator<Value>

    init(_ makeIterator: @escaping @Sendable () -> ValueIterator<Value>) {
        self.makeIterator = makeIterator
    }

    public func makeAsyncIterator() -> ValueIterator<Value> { makeIterator() }
}

extension PrefsStorage {
    /// Returns a sequence of the values of several keys, now and after every change of any of them; the
    /// values of an element are from the same moment.
    ///
    /// The guarantees of ``PersistentKeyValues`` for one key apply to all of them together.
    public func values<
        First: PersistentKeyProtocol, Second: PersistentKeyProtocol, each Rest: PersistentKeyProtocol
    >(
        for first: First, _ second: Second, _ rest: repeat each Rest,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValueTuples<(First.Value, Second.Value, repeat (each Rest).Value)>
            .BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValueTuples<(First.Value, Second.Value, repeat (each Rest).Value)> {
        var keys: [any PersistentKeyProtocol] = [first, second]
        repeat keys.append(each rest)
        return PersistentKeyValueTuples { [self, keys] in
            ValueIterator(
                emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy, keys: keys, of: self
            ) {
                [self] in
                snapshot.reading(of: first, second, repeat each rest)
            } reading: {
                $0.reading(of: first, second, repeat each rest)
            }
        }
    }
}

extension PrefsSnapshot {
    /// Returns the effective values of several keys in this snapshot.
    public func get<
        First: PersistentKeyProtocol, Second: PersistentKeyProtocol, each Rest: PersistentKeyProtocol
    >(
        _ first: First, _ second: Second, _ rest: repeat each Rest
    ) -> (First.Value, Second.Value, repeat (each Rest).Value) {
        (get(first), get(second), repeat get(each rest))
    }

    fileprivate func reading<
        First: PersistentKeyProtocol, Second: PersistentKeyProtocol, each Rest: PersistentKeyProtocol
    >(
        of first: First, _ second: Second, _ rest: repeat each Rest
    ) -> ValueWatch<(First.Value, Second.Value, repeat (each Rest).Value)>.Reading {
        var identities = [first.identity(of: get(first)), second.identity(of: get(second))]
        repeat identities.append((each rest).identity(of: get(each rest)))
        let isComparable = identities.allSatisfy { $0 != nil }
        return ValueWatch.Reading(
            value: get(first, second, repeat each rest),
            identity: isComparable ? identities.map { $0 ?? nil } : nil)
    }
}
