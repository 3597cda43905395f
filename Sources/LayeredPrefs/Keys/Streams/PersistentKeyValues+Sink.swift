extension PersistentKeyValues {
    /// Calls `receiveValue` with the current value, if this sequence begins with it, and then with every
    /// change, until the observation is cancelled or released.
    ///
    /// The first call is made before this function returns, later ones as described for
    /// ``PrefsStorage/observe(_:_:)``. The buffering policy does not apply, because no value is
    /// buffered.
    public func sink(_ receiveValue: @escaping @Sendable (Key.Value) -> Void) -> PersistentKeyObservation {
        store.observe(key, first: emitsInitialValue ? receiveValue : { _ in }) { receiveValue($0.new) }
    }
}
