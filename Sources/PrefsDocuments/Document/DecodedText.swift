/// The texts of a file whose spelling cannot be decoded without what surrounds it: the strings of YAML, where
/// indentation decides what belongs to a text.
///
/// They are decoded while the file is read; a node that is marked as encoded refers to them instead of the file.
final class DecodedText: Sendable {
    let bytes: [UInt8]
    /// The place of each decoded key, and that of the same key in the file, both ascending in the order of reading.
    private let keys: [Key]

    struct Key {
        var decoded: Int
        var source: Int
    }

    init(bytes: [UInt8], keys: [Key]) {
        self.bytes = bytes
        self.keys = keys
    }

    /// Returns the offset in the file of a key with its quotation mark.
    func source(ofKeyAt decoded: Int) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].decoded < decoded { low = middle + 1 } else { high = middle }
        }
        return low < keys.count ? keys[low].source : 0
    }
}
