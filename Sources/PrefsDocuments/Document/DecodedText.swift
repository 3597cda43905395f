/// The decoded texts of a YAML file. Its strings cannot be decoded on their own: the indentation around a string
/// decides which characters belong to it.
///
/// The scanner decodes them while it reads the file. A node that is marked as encoded refers to this text
/// instead of the file.
final class DecodedText: Sendable {
    let bytes: [UInt8]
    /// The offset of each decoded key, and the offset of the same key in the file. Both are ascending.
    private let keys: [Key]

    struct Key {
        var decoded: Int
        var source: Int
    }

    init(bytes: [UInt8], keys: [Key]) {
        self.bytes = bytes
        self.keys = keys
    }

    /// Returns the offset of a key in the file, including its quotation mark.
    func source(ofKeyAt decoded: Int) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].decoded < decoded { low = middle + 1 } else { high = middle }
        }
        return low < keys.count ? keys[low].source : 0
    }
}
