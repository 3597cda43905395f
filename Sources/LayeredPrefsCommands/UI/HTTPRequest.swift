/// An HTTP/1.1 request, as far as the page needs it. The parser is strict and supports no trailers, chunks or
/// pipelining.
struct HTTPRequest {
    /// The status and the reason for rejecting a request.
    struct Failure: Error {
        let status: Int
        let reason: String

        init(_ status: Int, _ reason: String) {
            self.status = status
            self.reason = reason
        }
    }

    static let maximumHead = 16384
    static let maximumBody = 65536

    let method: String
    /// The path without the query, as the client sent it. The server only answers exact paths, so nothing is
    /// decoded.
    let path: String
    let query: [String: String]
    /// The headers, by name in lower case.
    let headers: [String: String]
    var body: [UInt8] = []

    /// Parses the bytes before the empty line.
    init(head: some Collection<UInt8>) throws(Failure) {
        guard let text = String(validating: head, as: UTF8.self) else {
            throw Failure(400, "the head is not UTF-8")
        }
        var lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring($0) }[
            ...]
        for index in lines.indices {
            // The end of the last line is part of the empty line.
            guard lines[index].utf8.last == 0x0D || index == lines.endIndex - 1 else {
                throw Failure(400, "a line does not end in CR LF")
            }
            if lines[index].utf8.last == 0x0D { lines[index] = Substring(lines[index].utf8.dropLast()) }
            guard lines[index].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw Failure(400, "the head contains a control character")
            }
        }
        let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[1].hasPrefix("/") else { throw Failure(400, "malformed request line") }
        guard words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            throw Failure(505, "only HTTP/1.1 is supported")
        }
        method = String(words[0])
        let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(target[0])
        query = try Self.query(target.count > 1 ? target[1] : "")
        headers = try Self.headers(lines)
    }

    /// The length of the body after the head.
    var contentLength: Int {
        get throws(Failure) {
            if headers["transfer-encoding"] != nil { throw Failure(501, "chunks are not supported") }
            guard let text = headers["content-length"] else {
                if method == "POST" { throw Failure(411, "a length is required") }
                return 0
            }
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
                throw Failure(400, "malformed length")
            }
            guard length <= Self.maximumBody else { throw Failure(413, "the body is too large") }
            return length
        }
    }

    private static func headers(_ lines: ArraySlice<Substring>) throws(Failure) -> [String: String] {
        var headers: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex,
                line[..<colon].utf8.allSatisfy(isToken)
            else { throw Failure(400, "malformed header") }
            let name = line[..<colon].lowercased()
            var value = line[line.index(after: colon)...]
            while let first = value.utf8.first, first == 0x20 || first == 0x09 { value.removeFirst() }
            while let last = value.utf8.last, last == 0x20 || last == 0x09 { value.removeLast() }
            // Access depends on headers, and two programs may choose different values of a repeated header.
            guard headers.updateValue(String(value), forKey: name) == nil else {
                throw Failure(400, "a header is repeated")
            }
        }
        return headers
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    private static func query(_ text: Substring) throws(Failure) -> [String: String] {
        var query: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), let value = decoded(parts.count > 1 ? parts[1] : ""),
                query.updateValue(value, forKey: name) == nil
            else { throw Failure(400, "malformed query") }
        }
        return query
    }

    /// Decodes percent escapes such as `%41`; `nil` if the text is malformed or not UTF-8.
    static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
