extension PrefsStorage {
    /// Returns a sequence of a key's current value and its value after every change.
    public func values<Key: PersistentKeyProtocol>(
        for key: Key,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Key.Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key.Value> {
        PersistentKeyValues(
            key, store: self, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of a key's value after every change.
    public func changes<Key: PersistentKeyProtocol>(
        for key: Key,
        bufferingPolicy: PersistentKeyValues<Key.Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Key.Value> {
        values(for: key, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}

extension PrefsStorage {
    /// Returns a sequence of the values of several keys, now and after every change of any of them; the
    /// values of an element are from the same moment.
    public func values<
        First: PersistentKeyProtocol, Second: PersistentKeyProtocol, each Rest: PersistentKeyProtocol
    >(
        for first: First, _ second: Second, _ rest: repeat each Rest,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<(First.Value, Second.Value, repeat (each Rest).Value)>
            .BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<(First.Value, Second.Value, repeat (each Rest).Value)> {
        var keys: [any PersistentKeyProtocol] = [first, second]
        repeat keys.append(each rest)
        let readSnapshot = { @Sendable (snapshot: PrefsSnapshot) in
            snapshot.reading(of: first, second, repeat each rest)
        }
        return PersistentKeyValues(
            keys, store: self, emitsInitialValue, bufferingPolicy,
            read: { readSnapshot($0.snapshot) },
            readSnapshot: readSnapshot)
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
    ) -> PersistentKeyValues<(First.Value, Second.Value, repeat (each Rest).Value)>.Reading {
        var identities = [first.identity(of: get(first)), second.identity(of: get(second))]
        repeat identities.append((each rest).identity(of: get(each rest)))
        let isComparable = identities.allSatisfy { $0 != nil }
        return PersistentKeyValues.Reading(
            value: get(first, second, repeat each rest),
            identity: isComparable ? identities.map { $0 ?? nil } : nil)
    }
}
