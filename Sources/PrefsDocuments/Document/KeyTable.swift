/// The hash tables of a document's large dictionaries, all in one array.
///
/// A slot holds a node's index, or 0 if it is free: index 0 is the root, which is not an entry. An index needs
/// 29 bits, because a file of at most 2³⁰ bytes holds fewer than 2²⁹ values. The three highest bits of a slot
/// are the three highest bits of the key's hash, so that a search compares few other keys. Linear probing; at
/// most half of the slots are occupied.
struct KeyTable: Sendable {
    private var slots: [UInt32] = []
    private var tables: [Table] = []

    private struct Table {
        var start: Int
        var mask: Int
    }

    /// The maximum number of bytes for an entry.
    static let largestEntry = 16

    /// Dictionaries with fewer entries are searched linearly.
    static let threshold = 9

    /// Creates the table of a dictionary with `count` entries, and returns the table's number.
    mutating func open(count: Int) -> Int {
        var capacity = 16
        while capacity < count * 2 { capacity *= 2 }
        tables.append(Table(start: slots.count, mask: capacity - 1))
        slots.append(contentsOf: repeatElement(0, count: capacity))
        return tables.count
    }

    /// Inserts a node, and returns the node with the same key that it replaces.
    mutating func insert(
        _ node: Int, hash: UInt64, into table: Int, isSameKey: (Int) -> Bool
    ) -> Int? {
        let slot = slot(for: hash, in: table, where: isSameKey)
        let previous = Int(slots[slot] & Self.indexMask)
        slots[slot] = UInt32(node) | Self.tag(of: hash)
        return previous == 0 ? nil : previous
    }

    func find(hash: UInt64, in table: Int, where isSameKey: (Int) -> Bool) -> Int? {
        let node = Int(slots[slot(for: hash, in: table, where: isSameKey)] & Self.indexMask)
        return node == 0 ? nil : node
    }

    /// Returns the slot that holds the key, or the free slot where the key belongs.
    private func slot(for hash: UInt64, in table: Int, where isSameKey: (Int) -> Bool) -> Int {
        let table = tables[table - 1]
        let tag = Self.tag(of: hash)
        var position = Int(truncatingIfNeeded: hash) & table.mask
        while true {
            let slot = slots[table.start + position]
            let isFound = slot == 0 || slot & ~Self.indexMask == tag && isSameKey(Int(slot & Self.indexMask))
            if isFound { return table.start + position }
            position = (position + 1) & table.mask
        }
    }

    private static let indexMask: UInt32 = 0x1FFF_FFFF

    private static func tag(of hash: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: hash >> 32) & ~indexMask
    }
}
