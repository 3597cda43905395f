/// Decodes text that the scanner has validated: references, CDATA sections, comments, line ends.
enum XMLText {
    static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var offset = range.lowerBound
        while offset < range.upperBound {
            switch bytes[offset] {
            case UInt8(ascii: "&"):
                guard let (scalar, end) = try? XMLReference.read(bytes, at: offset) else { return result }
                result.append(contentsOf: scalar.utf8)
                offset = end
            case UInt8(ascii: "<"): offset = appendMarkup(bytes, offset..<range.upperBound, to: &result)
            case UInt8(ascii: "\r"): offset = appendLineEnd(bytes, offset, to: &result)
            default:
                result.append(bytes[offset])
                offset += 1
            }
        }
        return result
    }

    /// Appends a line feed for any line end, as XML requires.
    private static func appendLineEnd(_ bytes: [UInt8], _ offset: Int, to result: inout [UInt8]) -> Int {
        result.append(UInt8(ascii: "\n"))
        let next = offset + 1
        return next < bytes.count && bytes[next] == UInt8(ascii: "\n") ? next + 1 : next
    }

    /// Appends the content of a CDATA section, or skips a comment or an instruction. Returns the offset after
    /// it.
    private static func appendMarkup(_ bytes: [UInt8], _ range: Range<Int>, to result: inout [UInt8]) -> Int {
        let text = bytes[range]
        if text.starts(with: "<![CDATA[".utf8) {
            let content = range.lowerBound + 9
            let end = find("]]>", in: bytes[content..<range.upperBound])
            var offset = content
            while offset < end {
                if bytes[offset] == UInt8(ascii: "\r") {
                    offset = appendLineEnd(bytes, offset, to: &result)
                } else {
                    result.append(bytes[offset])
                    offset += 1
                }
            }
            return min(end + 3, range.upperBound)
        }
        let isComment = text.starts(with: "<!--".utf8)
        let end = find(isComment ? "-->" : "?>", in: text.dropFirst(isComment ? 4 : 2))
        return min(end + (isComment ? 3 : 2), range.upperBound)
    }

    private static func find(_ mark: String, in text: ArraySlice<UInt8>) -> Int {
        text.firstRange(of: Array(mark.utf8))?.lowerBound ?? text.endIndex
    }
}

/// References: `&lt;`, `&#10;`, `&#x1F600;`.
enum XMLReference {
    static func read(_ bytes: [UInt8], at start: Int) throws(ScanFailure) -> (
        scalar: Unicode.Scalar, end: Int
    ) {
        let name = bytes[(start + 1)...].prefix(12).prefix { $0 != UInt8(ascii: ";") }
        let end = name.endIndex + 1
        guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: ";") else {
            throw ScanFailure(
                start, "expected “;” to end a reference; write a literal “&” as &amp;")
        }
        let scalar = name.first == UInt8(ascii: "#") ? number(name.dropFirst()) : named(name)
        guard let scalar else {
            throw ScanFailure(
                start, "unknown reference; XML has &lt; &gt; &amp; &quot; &apos; and numbers such as &#233;")
        }
        return (scalar, end)
    }

    /// Returns true for a character of XML 1.0: no control characters except tab and line ends, and not
    /// U+FFFE or U+FFFF.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x1_0000...: true
        default: false
        }
    }

    private static func named(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        switch String(decoding: name, as: UTF8.self) {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "quot": "\""
        case "apos": "'"
        default: nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let isHexadecimal = digits.first == UInt8(ascii: "x")
        let digits = isHexadecimal ? digits.dropFirst() : digits
        let scalar = ScalarText.magnitude(digits, radix: isHexadecimal ? 16 : 10)
            .flatMap(UInt32.init(exactly:)).flatMap(Unicode.Scalar.init)
        return scalar.flatMap { isAllowed($0) ? $0 : nil }
    }
}
