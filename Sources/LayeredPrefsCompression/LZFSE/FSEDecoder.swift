/// A decoder for finite state entropy: each state yields a symbol and the number of input bits that select
/// the next state.
struct FSEDecoder {
    private struct Entry {
        var symbol: UInt8 = 0
        /// The number of bits to read for the next state.
        var stateBits = 0
        var nextState = 0
        /// The number of further bits to add to the symbol's base.
        var valueBits = 0
        var base = 0
    }

    private var entries: [Entry]

    /// - Parameters:
    ///   - frequencies: The number of states of each symbol.
    ///   - extraBits: The number of bits that follow each symbol; `nil` if the symbol itself is the value.
    init(
        states: Int, frequencies: ArraySlice<UInt16>, extraBits: [Int]? = nil
    ) throws(CompressionFailure) {
        guard frequencies.reduce(0, { $0 + Int($1) }) <= states else { throw .malformed }
        entries = []
        entries.reserveCapacity(states)
        let bases = extraBits.map(Self.bases)
        for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
            let valueBits = extraBits?[symbol] ?? 0
            let base = bases?[symbol] ?? symbol
            append(
                Entry(symbol: UInt8(symbol), valueBits: valueBits, base: base), times: Int(frequency),
                states: states)
        }
        // States without a symbol are reached only from damaged data.
        entries += [Entry](repeating: Entry(), count: states - entries.count)
    }

    private mutating func append(_ entry: Entry, times frequency: Int, states: Int) {
        let shift = frequency.leadingZeroBitCount - states.leadingZeroBitCount
        let longer = (2 * states) >> shift - frequency
        for index in 0..<frequency {
            var entry = entry
            entry.stateBits = index < longer ? shift : shift - 1
            entry.nextState =
                index < longer ? (frequency + index) << shift - states : (index - longer) << (shift - 1)
            entries.append(entry)
        }
    }

    /// Returns each symbol's first value; a symbol covers as many values as its extra bits can distinguish.
    private static func bases(_ extraBits: [Int]) -> [Int] {
        var next = 0
        return extraBits.map { bits in
            defer { next += 1 << bits }
            return next
        }
    }

    /// Returns the value of a state and advances the state.
    func decode(_ state: inout Int, _ bits: inout BackwardBits) throws(CompressionFailure) -> Int {
        let entry = entries[state]
        let taken = Int(try bits.take(entry.stateBits + entry.valueBits))
        state = entry.nextState + taken >> entry.valueBits
        return entry.base + taken & (1 << entry.valueBits - 1)
    }

    func accepts(_ state: Int) -> Bool { entries.indices.contains(state) }
}

/// A reader of bits from the end of some bytes towards their beginning.
struct BackwardBits {
    private let bytes: ArraySlice<UInt8>
    /// The index after the next byte to be moved into `held`.
    private var position: Int
    private var held: UInt64 = 0
    private var heldBits = 0

    /// - Parameter unused: The number of unused bits at the top of the last byte, as a number from -7 to 0.
    init(_ bytes: ArraySlice<UInt8>, unused: Int) throws(CompressionFailure) {
        self.bytes = bytes
        position = bytes.endIndex
        guard (-7...0).contains(unused) else { throw .malformed }
        fill()
        guard heldBits + unused >= 0 else { throw .malformed }
        heldBits += unused
        guard heldBits == 64 || held >> UInt64(heldBits) == 0 else { throw .malformed }
    }

    mutating func take(_ count: Int) throws(CompressionFailure) -> UInt64 {
        if heldBits < count { fill() }
        guard heldBits >= count else { throw .malformed }
        heldBits -= count
        let taken = held >> UInt64(heldBits)
        held &= (1 << UInt64(heldBits)) - 1
        return taken
    }

    private mutating func fill() {
        while heldBits <= 48, position > bytes.startIndex {
            position -= 1
            held = held << 8 | UInt64(bytes[position])
            heldBits += 8
        }
    }
}
