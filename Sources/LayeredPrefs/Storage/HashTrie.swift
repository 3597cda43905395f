/// A dictionary whose copies share their unchanged parts: a hash trie.
///
/// A trie with few entries is a plain dictionary. A larger trie divides its entries into parts, by three bits of
/// the hashes of their keys. Each part is a trie that uses the next bits. A change copies only the parts that
/// lead to its key. So it costs the logarithm of the number of entries, however many older copies are in use.
///
/// Invariants:
/// - There are entries or parts, not both. There are either no parts or ``partCount``.
/// - A key is in the part that ``part(of:at:)`` returns for its hash and the trie's depth.
/// - `count` is the number of all entries, including the entries of the parts.
struct HashTrie<Value: Sendable>: Sendable {
    private static var bitsPerLevel: Int { 3 }
    private static var partCount: Int { 1 << bitsPerLevel }
    /// The largest number of entries that are not divided.
    private static var capacity: Int { 32 }
    /// The depth where a hash has no bits left. Any number of entries remain together there.
    private static var lastDepth: Int { Int.bitWidth / bitsPerLevel }

    private var entries: [String: Value] = [:]
    private var parts: [HashTrie] = []
    private(set) var count = 0

    init(_ entries: [String: Value] = [:]) { self.init(entries, at: 0) }

    private init(_ entries: [String: Value], at depth: Int) {
        self.entries = entries
        count = entries.count
        if count > Self.capacity { divide(at: depth) }
    }

    subscript(key: String) -> Value? {
        get { parts.isEmpty ? entries[key] : value(for: key, hash: key.hashValue) }
        set { update(key) { $0 = newValue } }
    }

    /// Changes, adds or removes the value of a key in place.
    mutating func update(_ key: String, _ change: (inout Value?) -> Void) {
        update(key, hash: key.hashValue, at: 0, change)
    }

    /// Visits the entries, in no particular order.
    func forEach(_ body: (String, Value) -> Void) {
        for (key, value) in entries { body(key, value) }
        for part in parts { part.forEach(body) }
    }

    /// The same entries as a plain dictionary.
    var dictionary: [String: Value] {
        if parts.isEmpty { return entries }
        var all: [String: Value] = [:]
        all.reserveCapacity(count)
        forEach { all[$0] = $1 }
        return all
    }
}

extension HashTrie {
    private static func part(of hash: Int, at depth: Int) -> Int {
        (hash >> (depth * bitsPerLevel)) & (partCount - 1)
    }

    private func value(for key: String, hash: Int, at depth: Int = 0) -> Value? {
        if parts.isEmpty { return entries[key] }
        return parts[Self.part(of: hash, at: depth)].value(for: key, hash: hash, at: depth + 1)
    }

    private mutating func update(
        _ key: String, hash: Int, at depth: Int, _ change: (inout Value?) -> Void
    ) {
        if parts.isEmpty {
            change(&entries[key])
            count = entries.count
            if count > Self.capacity { divide(at: depth) }
        } else {
            let part = Self.part(of: hash, at: depth)
            count -= parts[part].count
            parts[part].update(key, hash: hash, at: depth + 1, change)
            count += parts[part].count
            // Not as soon as the entries fit. Otherwise, the next entry would divide them again.
            if count <= Self.capacity / 2 { (entries, parts) = (dictionary, []) }
        }
    }

    private mutating func divide(at depth: Int) {
        if depth == Self.lastDepth { return }
        var groups = Array(repeating: [String: Value](), count: Self.partCount)
        for (key, value) in entries { groups[Self.part(of: key.hashValue, at: depth)][key] = value }
        parts = groups.map { HashTrie($0, at: depth + 1) }
        entries = [:]
    }
}
