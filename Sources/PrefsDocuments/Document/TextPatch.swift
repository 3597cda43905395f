/// Replacements in a text; everything between them stays byte for byte.
struct TextPatch {
    private var patch: [Replacement] = []

    private struct Replacement {
        var range: Range<Int>
        var text: [UInt8]
        var isFirst: Bool
    }

    mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        patch.append(Replacement(range: range, text: text, isFirst: false))
    }

    /// - Parameter isFirst: True if the text precedes other texts that are inserted at the same place.
    mutating func insert(_ text: [UInt8], at offset: Int, isFirst: Bool = false) {
        patch.append(Replacement(range: offset..<offset, text: text, isFirst: isFirst))
    }

    mutating func remove(_ range: Range<Int>) {
        // Merge the removals of many entries in a row.
        if let last = patch.last, last.text.isEmpty, last.range.upperBound == range.lowerBound, !range.isEmpty
        {
            patch[patch.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
            replace(range, with: [])
        }
    }

    /// Returns the ranges to remove from a comma-separated list. Each removed member takes one comma with it: the
    /// preceding comma or, for the first members, the following one.
    ///
    /// - Parameters:
    ///   - members: The ranges of all members, ascending.
    ///   - isRemoved: Returns true for the indices of the members to remove.
    static func removals(of members: [Range<Int>], where isRemoved: (Int) -> Bool) -> [Range<Int>] {
        let firstKept = members.indices.first { !isRemoved($0) } ?? members.endIndex
        return members.indices.filter(isRemoved).map { index in
            let member = members[index]
            if firstKept < index { return members[index - 1].upperBound..<member.upperBound }
            let end = index + 1 < members.count ? members[index + 1].lowerBound : member.upperBound
            return member.lowerBound..<end
        }
    }

    /// Returns the text after all replacements. A replacement inside a removed range takes the place of that
    /// range.
    func applied(to bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + patch.reduce(0) { $0 + $1.text.count })
        var position = 0
        // An insertion precedes a replacement at the same place.
        func rank(_ index: Int) -> (Int, Int, Int, Int) {
            let part = patch[index]
            return (part.range.lowerBound, part.range.upperBound, part.isFirst ? 0 : 1, index)
        }
        for index in patch.indices.sorted(by: { rank($0) < rank($1) }) {
            let (range, text) = (patch[index].range, patch[index].text)
            if position < range.lowerBound { result.append(contentsOf: bytes[position..<range.lowerBound]) }
            result.append(contentsOf: text)
            position = max(position, range.upperBound)
            // If a removal leaves empty lines at the start of the text, remove them, too.
            if range.lowerBound == 0, !range.isEmpty, result.isEmpty {
                while position < bytes.count, bytes[position...].first.map({ $0 == 10 || $0 == 13 }) == true {
                    position += 1
                }
            }
        }
        result.append(contentsOf: bytes[position...])
        return result
    }
}
