extension PersistentKeyValues {
    /// Calls `receiveValue` with the current value, where this sequence begins with it, and then with every
    /// change, until the observation is cancelled or released.
    ///
    /// The first call comes before this returns. Later ones come as ``PersistentKeyValueStore/observe(_:_:)``
    /// says. The buffering policy does not apply: nothing waits here.
    public func sink(_ receiveValue: @escaping @Sendable (Key.Value) -> Void) -> PersistentKeyObservation {
        store.observe(key, first: emitsInitialValue ? receiveValue : { _ in }) { receiveValue($0.new) }
    }
}
