extension XMLScanner {
    /// Reads the text of an element up to and including its closing tag.
    mutating func readText(of tag: XMLTag) throws(ScanFailure) -> TextRun {
        var run = TextRun(range: offset..<offset)
        let start = offset
        hasUnicode = false
        while true {
            skipPlainText(before: UInt8(ascii: "<"), UInt8(ascii: "&"))
            switch current {
            case UInt8(ascii: "<") where byte(after: 1) == UInt8(ascii: "/"):
                run.range = start..<offset
                run.isASCII = !hasUnicode
                try skipClosingTag(tag)
                return run
            case UInt8(ascii: "<"):
                try skipInnerMarkup(of: tag)
                run.isEncoded = true
            case UInt8(ascii: "&"):
                let reference = try XMLReference.read(bytes, at: offset)
                if !reference.scalar.isASCII { hasUnicode = true }
                offset = reference.end
                run.isEncoded = true
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"): offset += 1
            case UInt8(ascii: "\r"):
                offset += 1
                run.isEncoded = true
            default: try skipCharacter()
            }
        }
    }

    /// Skips a comment, an instruction or a CDATA section inside text.
    private mutating func skipInnerMarkup(of tag: XMLTag) throws(ScanFailure) {
        if looksAt("<!--") {
            try skipComment()
        } else if looksAt("<![CDATA[") {
            try skip(to: "]]>", of: "CDATA section", from: 9)
        } else if looksAt("<?") {
            try skipInstruction()
        } else {
            throw ScanFailure(offset, "expected </\(tag.name)>, found another element")
        }
    }

    /// Skips one character. Throws if XML does not allow it.
    mutating func skipCharacter() throws(ScanFailure) {
        guard offset < bytes.count else { throw ScanFailure(offset, "the file ends too early") }
        let byte = bytes[offset]
        guard byte >= 0x80 else {
            guard byte >= 0x20 || byte.isBlank else {
                throw ScanFailure(offset, "control character \(byte.quoted) is not allowed in XML")
            }
            offset += 1
            return
        }
        guard let character = UTF8Sequence(bytes, at: offset) else {
            throw ScanFailure(offset, "\(byte.quoted) is not valid UTF-8")
        }
        guard XMLReference.isAllowed(character.scalar) else {
            throw ScanFailure(offset, "character not allowed in XML")
        }
        offset += character.length
        hasUnicode = true
    }
}
