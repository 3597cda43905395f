import LayeredPrefs

/// The old and new value of a change.
struct ValueChange<Value: Sendable & Equatable>: Sendable, Equatable {
    var old: Value
    var new: Value
}

extension ValueChange {
    init(_ change: PrefsChange<Value>) { self.init(old: change.old.value, new: change.new.value) }
}
