extension XMLScanner {
    /// Reads everything up to the first value: the declaration, the document type, `<plist>`.
    mutating func skipProlog() throws(ScanFailure) {
        offset = TextEncoding.start(of: bytes)
        try checkFirstBytes()
        if looksAt("<?xml") { try checkEncoding() }
        try skipMarkup()
        if looksAt("<!DOCTYPE") {
            try skipDocumentType()
            try skipMarkup()
        }
        guard looksAt("<plist") else { throw ScanFailure(offset, "expected <plist>, found \(found)") }
        let start = offset
        let (tag, isEmpty) = try readOpeningTag()
        guard tag == .plist, !isEmpty else { throw ScanFailure(start, "expected a value in <plist>") }
    }

    /// Skips white space, comments and processing instructions.
    mutating func skipMarkup() throws(ScanFailure) {
        while true {
            skipBlanks()
            guard current == UInt8(ascii: "<") else { return }
            switch byte(after: 1) {
            case UInt8(ascii: "!"):
                guard looksAt("<!--") else { return }
                try skipComment()
            case UInt8(ascii: "?"): try skipInstruction()
            default: return
            }
        }
    }

    mutating func skipComment() throws(ScanFailure) {
        let start = offset
        try skip(to: "-->", of: "comment", from: 4)
        comments?.append(start..<offset)
    }

    mutating func skipInstruction() throws(ScanFailure) {
        try skip(to: "?>", of: "processing instruction", from: 2)
    }

    /// Skips markup of several characters, including its end.
    ///
    /// - Parameter head: The length of the start of the markup.
    mutating func skip(
        to end: StaticString, of what: String, from head: Int
    ) throws(ScanFailure) {
        let start = offset
        offset += head
        while !looksAt(end) {
            guard offset < bytes.count else { throw ScanFailure(start, "unterminated \(what)") }
            try skipCharacter()
        }
        offset += end.utf8CodeUnitCount
    }

    /// Rejects content that does not begin with markup. The error names the content's format if it is a well-known
    /// one.
    private mutating func checkFirstBytes() throws(ScanFailure) {
        skipBlanks()
        if offset < bytes.count, current == UInt8(ascii: "<") { return }
        var failure = ScanFailure(0, "the file is empty; expected an XML property list")
        if offset < bytes.count {
            let found = UnsupportedFormat.description(bytes[offset...])
            failure = ScanFailure(offset, "expected an XML property list, found \(found)")
        }
        failure.isOfOtherFormat = true
        throw failure
    }

    /// Checks the declared encoding. By now the text is UTF-8, or was transcoded to it. If the file declared
    /// another encoding, other readers would decode other characters.
    private func checkEncoding() throws(ScanFailure) {
        if looksAt("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") { return }
        let declaration = bytes[offset...].prefix(200).prefix { $0 != UInt8(ascii: ">") }
        let words = String(decoding: declaration, as: UTF8.self).lowercased()
        guard let mark = words.utf8.firstRange(of: Array("encoding".utf8)) else { return }
        let name = words[mark.upperBound...].split { " =\"'?\t\r\n".contains($0) }.first ?? ""
        let isUnicode = name.hasPrefix("utf-8") || name.hasPrefix("utf-16") || name.hasPrefix("utf-32")
        guard isUnicode || bytes.span.isASCII else {
            throw ScanFailure(offset, "the encoding \(name) is not supported; expected UTF-8")
        }
    }

    /// The document type that Apple's tools and this library write.
    private static let usualDocumentType: StaticString =
        """
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        """

    /// Skips `<!DOCTYPE …>` with its internal subset. The subset may not declare entities.
    private mutating func skipDocumentType() throws(ScanFailure) {
        if looksAt(Self.usualDocumentType) {
            offset += Self.usualDocumentType.utf8CodeUnitCount
            return
        }
        let start = offset
        var isInSubset = false
        while isInSubset || current != UInt8(ascii: ">") {
            guard offset < bytes.count else { throw ScanFailure(start, "unterminated document type") }
            switch current {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): try skipLiteral()
            case UInt8(ascii: "["):
                isInSubset = true
                offset += 1
            case UInt8(ascii: "]"):
                isInSubset = false
                offset += 1
            case UInt8(ascii: "<") where looksAt("<!--"): try skipComment()
            case UInt8(ascii: "<") where looksAt("<!ENTITY"):
                throw ScanFailure(offset, "entity declarations are not supported")
            default: try skipCharacter()
            }
        }
        offset += 1
    }

    private mutating func skipLiteral() throws(ScanFailure) {
        let start = offset
        let quote = current
        offset += 1
        while current != quote {
            guard offset < bytes.count else { throw ScanFailure(start, "unterminated quotation") }
            try skipCharacter()
        }
        offset += 1
    }
}
