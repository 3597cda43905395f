/// The newest of the readings that several threads make, perhaps at once.
struct NewestReading<Value: Equatable & Sendable>: Sendable {
    private var value: Value
    /// The number of the reading that the value is from.
    private var number = 0
    private var lastNumber = 0

    init(_ value: Value) { self.value = value }

    /// Begins a reading; returns its number.
    mutating func begin() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Ends a reading; returns true if it differs from the one before. If one that began later has ended, that counts, and
    /// this one does not.
    mutating func end(_ number: Int, _ value: Value) -> Bool {
        if number < self.number { return false }
        defer { (self.number, self.value) = (number, value) }
        return self.value != value
    }
}
