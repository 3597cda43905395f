/// One value of a parsed file: its kind and its location in the bytes.
///
/// One array contains all nodes. Everything in a container follows the container's node, and `next` skips it. A
/// node takes 32 bytes.
struct DocumentNode: Sendable {
    /// The value with its markup: `<string>x</string>`, `"x"`, a binary object with its header.
    var start: UInt32
    var end: UInt32
    /// The key's content, not decoded, if the parent is a dictionary.
    var keyStart: UInt32 = 0
    var keyLength: UInt32 = 0
    /// The index of the first node after this one and everything in it.
    var next: UInt32 = 0
    var kind: PrefsValue.Kind
    var flags: Flags = []
    /// Scalars: the value's bits. Strings and data: the location of the content. Containers: ``count``,
    /// ``table``.
    var payload: UInt64 = 0

    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        /// The content is not plain UTF-8 text, but contains references or escapes, or is UTF-16.
        static let encodedValue = Flags(rawValue: 1)
        /// The same for the key.
        static let encodedKey = Flags(rawValue: 2)
        /// A later entry of the dictionary has the same key.
        static let shadowed = Flags(rawValue: 4)
        /// The integer is a `UInt64`.
        static let unsigned = Flags(rawValue: 8)
        /// The key is `CF$UID`, which a binary file represents as a type of object.
        static let identifierKey = Flags(rawValue: 16)
        /// The key is not ASCII, so that other bytes may spell the same key.
        static let unicodeKey = Flags(rawValue: 32)
        /// The contents of the container are not in its range, but in several places: a table of TOML.
        static let separate = Flags(rawValue: 64)
    }
}

extension DocumentNode {
    var range: Range<Int> { Int(start)..<Int(end) }

    var keyRange: Range<Int> { Int(keyStart)..<Int(keyStart) + Int(keyLength) }

    /// The location of the content of a string or of data.
    var content: Range<Int> {
        get { Int(payload >> 32)..<Int(payload >> 32) + Int(payload & 0xFFFF_FFFF) }
        set { payload = UInt64(newValue.lowerBound) << 32 | UInt64(newValue.count) }
    }

    /// The number of elements, or of entries with distinct keys, in the container.
    var count: Int {
        get { Int(payload & 0xFFFF_FFFF) }
        set { payload = payload & ~0xFFFF_FFFF | UInt64(newValue) }
    }

    /// The number of the dictionary's hash table, counted from 1; 0 for a small dictionary.
    var table: Int {
        get { Int(payload >> 32) }
        set { payload = payload & 0xFFFF_FFFF | UInt64(newValue) << 32 }
    }

    var isContainer: Bool { kind == .dictionary || kind == .array }

    var integer: IntegerBits {
        get { IntegerBits(bits: payload, isUnsigned: flags.contains(.unsigned)) }
        set {
            payload = newValue.bits
            if newValue.isUnsigned { flags.insert(.unsigned) }
        }
    }

    mutating func setKey(_ run: TextRun) {
        keyStart = UInt32(run.range.lowerBound)
        keyLength = UInt32(run.range.count)
        if run.isEncoded { flags.insert(.encodedKey) }
        if !run.isASCII { flags.insert(.unicodeKey) }
    }

    /// Sets the content of a string or of data.
    mutating func setContent(_ run: TextRun) {
        content = run.range
        if run.isEncoded { flags.insert(.encodedValue) }
    }
}

/// A whole number as stored in a node.
struct IntegerBits {
    var bits: UInt64
    var isUnsigned: Bool
}

extension IntegerBits {
    /// Creates the bits of a number; returns `nil` if the number fits neither `Int64` nor `UInt64`.
    init?(magnitude: UInt64, isNegative: Bool) {
        if isNegative {
            guard magnitude <= 1 << 63 else { return nil }
            self.init(bits: 0 &- magnitude, isUnsigned: false)
        } else {
            self.init(bits: magnitude, isUnsigned: magnitude > UInt64(Int64.max))
        }
    }

    var value: Int128 { isUnsigned ? Int128(bits) : Int128(Int64(bitPattern: bits)) }
}
