/// The newest of several readings, which threads may make at the same time.
struct NewestReading<Value: Equatable & Sendable>: Sendable {
    private var value: Value
    /// The number of the reading that produced the value.
    private var number = 0
    private var lastNumber = 0

    init(_ value: Value) { self.value = value }

    /// Begins a reading and returns its number.
    mutating func begin() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Ends a reading and returns true if its value differs from the previous one. Ignores the reading if a
    /// later one has already ended.
    mutating func end(_ number: Int, _ value: Value) -> Bool {
        if number < self.number { return false }
        defer { (self.number, self.value) = (number, value) }
        return self.value != value
    }
}
