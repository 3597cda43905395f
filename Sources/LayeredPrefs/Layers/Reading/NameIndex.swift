import Synchronization

/// A map from lookups to permanent numbers from zero. Finding a number may run while another thread adds a lookup.
///
/// An open-addressed hash table that only grows. Swift's dictionaries hash with SipHash, which costs more
/// than the rest of a read altogether.
@safe final class NameIndex {
    private let seed: UInt64
    private let mask: Int
    /// Each slot is the upper half of a lookup's hash followed by its number plus one, or 0 if it is free.
    private let slots: UnsafeMutablePointer<Atomic<UInt64>>
    private let names: UnsafeMutablePointer<NameBytes>
    private(set) var count = 0

    /// - Parameter capacity: The maximum number of lookups, a power of two.
    init(capacity: Int, seed: UInt64 = .random(in: 1 ... .max)) {
        self.seed = seed
        mask = 2 * capacity - 1
        unsafe slots = .allocate(capacity: 2 * capacity)
        for place in 0..<(2 * capacity) { unsafe (slots + place).initialize(to: Atomic(0)) }
        unsafe names = .allocate(capacity: capacity)
    }

    deinit {
        for number in 0..<count { unsafe names[number].start.deallocate() }
        unsafe names.deallocate()
        unsafe slots.deinitialize(count: mask + 1).deallocate()
    }

    /// The maximum number of lookups.
    var capacity: Int { (mask + 1) / 2 }

    /// Returns the number of a lookup, if it has one.
    func number(of lookup: ValueLookup) -> Int? {
        let kind = lookup.kind
        // Every native string is contiguous.
        return unsafe lookup.name.utf8.withContiguousStorageIfAvailable {
            unsafe number(of: NameBytes($0, kind))
        } ?? number(ofCopy: lookup)
    }

    private func number(ofCopy lookup: ValueLookup) -> Int? {
        var name = lookup.name
        return name.withUTF8 { unsafe number(of: NameBytes($0, lookup.kind)) }
    }

    /// Adds a lookup and returns its number. The lookup must be new, the index must not be full, and only one
    /// thread may call this at a time.
    func add(_ lookup: ValueLookup) -> Int {
        precondition(count < capacity, "the index is full; add to grown() instead")
        var name = lookup.name
        return name.withUTF8 { unsafe add(NameBytes($0, lookup.kind)) }
    }

    /// Returns an index of twice the capacity with the same lookups under the same numbers.
    func grown() -> NameIndex {
        let larger = NameIndex(capacity: 2 * capacity, seed: seed)
        for number in 0..<count { _ = unsafe larger.add(names[number]) }
        return larger
    }
}

// Sendable: only one caller at a time adds lookups or touches `count`. Readers reach a name only through a
// slot, an atomic stored after the name is written; neither changes afterwards.
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
        unsafe (names + count).initialize(to: NameBytes(start: copy, count: name.count, name.kind))
        let hash = unsafe name.hash(seed: seed)
        var place = Int(truncatingIfNeeded: hash) & mask
        while unsafe slots[place].load(ordering: .relaxed) != 0 { place = (place + 1) & mask }
        count += 1
        // Stored last, with release ordering, so that a reader that sees the slot also sees the name.
        unsafe slots[place].store(hash & ~0xffff_ffff | UInt64(count), ordering: .releasing)
        return count - 1
    }
}

/// A lookup and the bytes of its name, which are read eight at a time. The tail is not read with an overlapping
/// eight-byte load. A short string has just been spilled to memory, and a load that spans two pending stores
/// stalls until both complete.
@unsafe private struct NameBytes {
    let start: UnsafeRawPointer
    let count: Int
    let kind: ValueLookup.Kind

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ kind: ValueLookup.Kind) {
        // An empty buffer may have no address; nothing is loaded from it.
        let start = unsafe bytes.baseAddress.map { unsafe UnsafeRawPointer($0) }
        unsafe self.start = start ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
        unsafe count = bytes.count
        unsafe self.kind = kind
    }

    @inline(__always)
    init(start: UnsafeRawPointer, count: Int, _ kind: ValueLookup.Kind) {
        unsafe self.start = start
        unsafe self.count = count
        unsafe self.kind = kind
    }

    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }

    /// Returns the last bytes of the name, up to seven, from an offset.
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

    /// Hashes sixteen bytes per multiplication.
    @inline(__always)
    func hash(seed: UInt64) -> UInt64 {
        var hash = unsafe seed ^ UInt64(truncatingIfNeeded: kind.rawValue)
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
        guard unsafe first.count == second.count, unsafe first.kind == second.kind else { return false }
        var offset = 0
        while unsafe offset &+ 8 <= first.count {
            if unsafe first.word(at: offset) != second.word(at: offset) { return false }
            offset &+= 8
        }
        return unsafe first.tail(from: offset) == second.tail(from: offset)
    }
}
