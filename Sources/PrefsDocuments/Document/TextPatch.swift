/// Replacements in a text; everything between them stays byte for byte.
struct TextPatch {
    private var patch: [(range: Range<Int>, text: [UInt8])] = []

    mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        patch.append((range, text))
    }

    mutating func insert(_ text: [UInt8], at offset: Int) {
        replace(offset..<offset, with: text)
    }

    mutating func remove(_ range: Range<Int>) {
        replace(range, with: [])
    }

    /// Returns the text after all replacements, whose ranges must not overlap.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + patch.reduce(0) { $0 + $1.text.count })
        var position = 0
        // An insertion precedes what is replaced at the same place.
        let ordered = patch.sorted {
            ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
        }
        for (range, text) in ordered {
            result.append(contentsOf: bytes[position..<range.lowerBound])
            result.append(contentsOf: text)
            position = range.upperBound
        }
        result.append(contentsOf: bytes[position...])
        return result
    }
}
