extension XMLScanner {
    /// Reads `<name attributes>`; attributes have no meaning in a property list.
    mutating func readOpeningTag() throws(ScanFailure) -> (tag: XMLTag, isEmpty: Bool) {
        let start = offset
        offset += 1
        if let tag = readBareTag() { return (tag, false) }
        let tag = try readName(from: start)
        while true {
            switch current {
            case UInt8(ascii: ">"):
                offset += 1
                return (tag, false)
            case UInt8(ascii: "/"):
                guard byte(after: 1) == UInt8(ascii: ">") else { throw unfinished(tag) }
                offset += 2
                return (tag, true)
            case let byte where byte.isBlank: offset += 1
            default: try skipAttribute(of: tag)
            }
        }
    }

    /// Skips `</name>`.
    mutating func skipClosingTag(_ tag: XMLTag) throws(ScanFailure) {
        let start = offset
        guard current == UInt8(ascii: "<"), byte(after: 1) == UInt8(ascii: "/") else {
            throw ScanFailure(offset, "expected </\(tag.name)>, found \(found)")
        }
        offset += 2
        if readBareTag(tag) { return }
        guard let name = readPackedName(), name == tag.rawValue else {
            throw ScanFailure(start, "expected </\(tag.name)>, found another closing tag")
        }
        skipBlanks()
        guard current == UInt8(ascii: ">") else { throw unfinished(tag) }
        offset += 1
    }

    /// Reads `name>`, the form of nearly every tag. Returns `nil` for any other text, and reads nothing.
    private mutating func readBareTag() -> XMLTag? {
        guard let word = ByteWord(bytes.span, at: offset),
            let length = word.firstIndex(of: UInt8(ascii: ">")),
            let tag = XMLTag(rawValue: word.prefix(length))
        else { return nil }
        offset += length + 1
        return tag
    }

    /// Reads `name>` of a certain tag. Returns false for any other text, and reads nothing.
    private mutating func readBareTag(_ tag: XMLTag) -> Bool {
        guard let word = ByteWord(bytes.span, at: offset),
            let length = word.firstIndex(of: UInt8(ascii: ">")), word.prefix(length) == tag.rawValue
        else { return false }
        offset += length + 1
        return true
    }

    private mutating func readName(from start: Int) throws(ScanFailure) -> XMLTag {
        let hasName = Self.isNameByte(current)
        if let name = readPackedName(), let tag = XMLTag(rawValue: name) { return tag }
        let known = XMLTag.allCases.filter { $0 != .plist }.map { "<\($0.name)>" }.joined(separator: ", ")
        throw ScanFailure(
            start,
            hasName ? "unknown property list element; expected \(known)" : "“<” without an element name")
    }

    /// Reads a name and packs its bytes into one number; returns `nil` if it is longer than any property list
    /// name.
    private mutating func readPackedName() -> UInt64? {
        var name: UInt64 = 0
        let start = offset
        while Self.isNameByte(current) {
            name = name << 8 | UInt64(current)
            offset += 1
            if offset - start > 7 { return nil }
        }
        return name
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    }

    /// Skips `name="value"`, ignoring its content.
    private mutating func skipAttribute(of tag: XMLTag) throws(ScanFailure) {
        let start = offset
        while Self.isNameByte(current) || current == UInt8(ascii: "-") || current == UInt8(ascii: ".") {
            offset += 1
        }
        guard offset > start else { throw unfinished(tag) }
        skipBlanks()
        guard current == UInt8(ascii: "=") else { throw unfinished(tag) }
        offset += 1
        skipBlanks()
        let quote = current
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw unfinished(tag) }
        offset += 1
        while current != quote {
            guard current >= 0x20 || current.isBlank, current != UInt8(ascii: "<") else {
                throw unfinished(tag)
            }
            offset += 1
        }
        offset += 1
    }

    private func unfinished(_ tag: XMLTag) -> ScanFailure {
        ScanFailure(offset, "expected “>” to end the tag of <\(tag.name)>, found \(found)")
    }
}
