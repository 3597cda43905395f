import Synchronization

/// Gives each name a number, from zero up, for good; names are found while another thread adds one.
///
/// An open-addressed hash table that only grows. Swift's own dictionaries hash with SipHash, which costs more
/// than all the rest of a read.
@safe final class NameIndex {
    private let seed: UInt64
    private let mask: Int
    /// The upper half of a name's hash and, in the lower half, its number plus one; 0 is a free slot.
    private let slots: UnsafeMutablePointer<Atomic<UInt64>>
    private let names: UnsafeMutablePointer<NameBytes>
    private var count = 0

    /// - Parameter capacity: How many names there is room for, rounded up to a power of two.
    init(capacity: Int, seed: UInt64 = .random(in: 1 ... .max)) {
        let room = Self.powerOfTwo(atLeast: capacity)
        self.seed = seed
        mask = 2 * room - 1
        unsafe slots = .allocate(capacity: 2 * room)
        for place in 0..<(2 * room) { unsafe (slots + place).initialize(to: Atomic(0)) }
        unsafe names = .allocate(capacity: room)
    }

    deinit {
        for number in 0..<count { unsafe names[number].start.deallocate() }
        unsafe names.deallocate()
        unsafe slots.deinitialize(count: mask + 1).deallocate()
    }

    private static func powerOfTwo(atLeast count: Int) -> Int {
        max(8, 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount))
    }

    /// How many names there is room for.
    var capacity: Int { (mask + 1) / 2 }

    /// The number of a name, if it has one.
    func number(of name: String) -> Int? {
        // Every native string is contiguous.
        unsafe name.utf8.withContiguousStorageIfAvailable { unsafe number(of: NameBytes($0)) }
            ?? number(ofCopy: name)
    }

    private func number(ofCopy name: String) -> Int? {
        var name = name
        return name.withUTF8 { unsafe number(of: NameBytes($0)) }
    }

    /// Gives a name that has none the next number, while there is room; one caller at a time.
    func add(_ name: String) -> Int {
        precondition(count < capacity, "the index must grow first")
        var name = name
        return name.withUTF8 { unsafe add(NameBytes($0)) }
    }

    /// The same names under the same numbers, with room for as many again.
    func grown() -> NameIndex {
        let larger = NameIndex(capacity: 2 * capacity, seed: seed)
        for number in 0..<count { _ = unsafe larger.add(names[number]) }
        return larger
    }
}

// Sendable: `count` and what is added belong to one caller at a time. Readers reach a name only through a slot,
// an atomic stored after the name, and neither changes once it is there.
extension NameIndex: @unchecked Sendable {}

extension NameIndex {
    private func number(of name: NameBytes) -> Int? {
        let hash = unsafe name.hash(seed: seed)
        var place = Int(truncatingIfNeeded: hash) & mask
        while true {
            let slot = unsafe slots[place].load(ordering: .acquiring)
            if slot == 0 { return nil }
            let number = Int(truncatingIfNeeded: slot & 0xffff_ffff) &- 1
            if slot >> 32 == hash >> 32, unsafe names[number] == name { return number }
            place = (place &+ 1) & mask
        }
    }

    private func add(_ name: NameBytes) -> Int {
        let copy = unsafe UnsafeMutableRawPointer.allocate(byteCount: name.count, alignment: 1)
        unsafe copy.copyMemory(from: name.start, byteCount: name.count)
        unsafe (names + count).initialize(to: NameBytes(start: copy, count: name.count))
        let hash = unsafe name.hash(seed: seed)
        var place = Int(truncatingIfNeeded: hash) & mask
        while unsafe slots[place].load(ordering: .relaxed) != 0 { place = (place + 1) & mask }
        count += 1
        // Last, so that whoever finds the slot finds the name.
        unsafe slots[place].store(hash & ~0xffff_ffff | UInt64(count), ordering: .releasing)
        return count - 1
    }
}

/// A name's bytes, eight at a time, without a look at any byte twice: a short string's bytes have just been
/// stored, and a load that reaches over two stores waits for both.
@unsafe private struct NameBytes {
    let start: UnsafeRawPointer
    let count: Int

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address; nothing is loaded from it.
        let start = unsafe bytes.baseAddress.map { unsafe UnsafeRawPointer($0) }
        unsafe self.start = start ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        unsafe count = bytes.count
    }

    @inline(__always)
    init(start: UnsafeRawPointer, count: Int) {
        unsafe self.start = start
        unsafe self.count = count
    }

    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// The up to seven bytes from an offset on.
    @inline(__always)
    func tail(from offset: Int) -> UInt64 {
        let left = unsafe count - offset
        if left >= 4 {
            let first = unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            let last = unsafe start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return UInt64(first) << 32 | UInt64(last)
        }
        guard left > 0 else { return 0 }
        let (first, middle, last) = unsafe (byte(offset), byte(offset + left / 2), byte(count - 1))
        return UInt64(first) << 16 | UInt64(middle) << 8 | UInt64(last)
    }

    @inline(__always)
    private func byte(_ offset: Int) -> UInt8 { unsafe start.load(fromByteOffset: offset, as: UInt8.self) }

    /// Mixes sixteen bytes with one multiplication.
    @inline(__always)
    func hash(seed: UInt64) -> UInt64 {
        var hash = seed
        var offset = 0
        while unsafe offset &+ 16 <= count {
            hash = unsafe Self.mix(hash ^ word(at: offset), word(at: offset &+ 8))
            offset &+= 16
        }
        if unsafe offset &+ 8 <= count {
            unsafe hash ^= word(at: offset)
            offset &+= 8
        }
        return unsafe Self.mix(hash, tail(from: offset) ^ UInt64(truncatingIfNeeded: count) << 56)
    }

    @inline(__always)
    private static func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
        let product = first.multipliedFullWidth(by: second ^ 0x9e37_79b9_7f4a_7c15)
        return product.high ^ product.low
    }

    @inline(__always)
    static func == (first: Self, second: Self) -> Bool {
        guard unsafe first.count == second.count else { return false }
        var offset = 0
        while unsafe offset &+ 8 <= first.count {
            if unsafe first.word(at: offset) != second.word(at: offset) { return false }
            offset &+= 8
        }
        return unsafe first.tail(from: offset) == second.tail(from: offset)
    }
}
