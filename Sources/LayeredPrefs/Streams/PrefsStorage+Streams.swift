extension PrefsStorage {
    /// Returns a sequence of a key's current value and its value after every change.
    public func values<Value>(
        for key: PersistentKey<Value>,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Value> {
        PersistentKeyValues(
            key, store: self, emitsInitialValue: emitsInitialValue, bufferingPolicy: bufferingPolicy)
    }

    /// Returns a sequence of a key's value after every change.
    public func changes<Value>(
        for key: PersistentKey<Value>,
        bufferingPolicy: PersistentKeyValues<Value>.BufferingPolicy = .bufferingNewest(1)
    ) -> PersistentKeyValues<Value> {
        values(for: key, emitsInitialValue: false, bufferingPolicy: bufferingPolicy)
    }
}

extension PrefsStorage {
    /// Returns a sequence of the values of several keys, now and after every change of any of them.
    ///
    /// The values of one element are from the same moment.
    public func values<First: Sendable, Second: Sendable, each Rest: Sendable>(
        for first: PersistentKey<First>, _ second: PersistentKey<Second>,
        _ rest: repeat PersistentKey<each Rest>,
        emitsInitialValue: Bool = true,
        bufferingPolicy: PersistentKeyValues<(First, Second, repeat each Rest)>.BufferingPolicy =
            .bufferingNewest(1)
    ) -> PersistentKeyValues<(First, Second, repeat each Rest)> {
        var keys = [ObservedKey(first), ObservedKey(second)]
        repeat keys.append(ObservedKey(each rest))
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
    public func get<First: Sendable, Second: Sendable, each Rest: Sendable>(
        _ first: PersistentKey<First>, _ second: PersistentKey<Second>,
        _ rest: repeat PersistentKey<each Rest>
    ) -> (First, Second, repeat each Rest) {
        (get(first), get(second), repeat get(each rest))
    }

    fileprivate func reading<First: Sendable, Second: Sendable, each Rest: Sendable>(
        of first: PersistentKey<First>, _ second: PersistentKey<Second>,
        _ rest: repeat PersistentKey<each Rest>
    ) -> PersistentKeyValues<(First, Second, repeat each Rest)>.Reading {
        var identities = [first.identity(of: get(first)), second.identity(of: get(second))]
        repeat identities.append((each rest).identity(of: get(each rest)))
        let isComparable = identities.allSatisfy { $0 != nil }
        return PersistentKeyValues.Reading(
            value: get(first, second, repeat each rest),
            identity: isComparable ? identities.map { $0 ?? nil } : nil)
    }
}
