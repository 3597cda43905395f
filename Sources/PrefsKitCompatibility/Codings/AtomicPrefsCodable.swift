public import LayeredPrefs

/// A coding that stores a value as itself.
public protocol AtomicPrefsCodable<Value>: PrefsCodable where Value == StorageValue {}

extension AtomicPrefsCoding: AtomicPrefsCodable {}
