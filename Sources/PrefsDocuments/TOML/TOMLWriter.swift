import FoundationEssentials

/// Writes values as TOML: the pairs of a table first, then its sub-tables under headers, keys sorted.
struct TOMLWriter {
    private(set) var output: [UInt8] = []
    let newline: String

    init(newline: String = "\n") { self.newline = newline }

    static func file(_ content: [String: PrefsValue]) throws(PrefsError) -> [UInt8] {
        var writer = TOMLWriter()
        try writer.writeEntries(content, of: [], indent: "")
        return writer.output
    }

    mutating func write(_ text: String) { output.append(contentsOf: text.utf8) }

    /// Writes a table, or an array of tables, under its own headers.
    mutating func writeSection(_ path: [String], _ value: PrefsValue, indent: String) throws(PrefsError) {
        switch value {
        case .array(let elements):
            for case .dictionary(let content) in elements {
                startSection("[[\(Self.key(path))]]", indent)
                try writeEntries(content, of: path, indent: indent)
            }
        case .dictionary(let content):
            let hasPairs = content.isEmpty || content.values.contains { !Self.isSection($0) }
            if hasPairs { startSection("[\(Self.key(path))]", indent) }
            try writeEntries(content, of: path, indent: indent)
        default: break
        }
    }

    private mutating func startSection(_ header: String, _ indent: String) {
        if !output.isEmpty { write(newline) }
        write(indent + header + newline)
    }

    private mutating func writeEntries(_ content: [String: PrefsValue], of path: [String], indent: String)
        throws(PrefsError)
    {
        let entries = content.sortedByKey
        for (key, value) in entries where !Self.isSection(value) {
            try writePair([key], value, indent: indent)
        }
        for (key, value) in entries where Self.isSection(value) {
            do { try writeSection(path + [key], value, indent: indent) } catch let error {
                throw error.below(key)
            }
        }
    }

    /// Writes `key = value` on a line of its own.
    mutating func writePair(_ path: [String], _ value: PrefsValue, indent: String) throws(PrefsError) {
        write("\(indent)\(Self.key(path)) = ")
        do { try writeInline(value) } catch let error { throw error.below(path[path.count - 1]) }
        write(newline)
    }

    /// Returns true for a value that is written under a header: a table, or an array of tables only.
    static func isSection(_ value: PrefsValue) -> Bool {
        switch value {
        case .dictionary: true
        case .array(let elements): !elements.isEmpty && elements.allSatisfy { $0.kind == .dictionary }
        default: false
        }
    }
}

extension TOMLWriter {
    /// Writes a value on one line.
    mutating func writeInline(_ value: PrefsValue) throws(PrefsError) {
        switch value {
        case .string(let text): write(PathText.inQuotes(text))
        case .bool(let value): write(value ? "true" : "false")
        case .integer(let value):
            guard let integer = Int64(exactly: value) else {
                throw PrefsError(.notEncodable, reason: "\(value) does not fit TOML's signed 64-bit integers")
            }
            write("\(integer)")
        case .real(let value): write(Self.text(of: value))
        case .date(let date):
            guard let text = DateText.text(of: date) else {
                throw PrefsError(.notEncodable, reason: "the date is out of range")
            }
            write(text)
        case .data: throw PrefsError(.notEncodable, reason: "TOML cannot represent data")
        case .array(let elements):
            try writeList(elements, "[", "]") { (writer, element) throws(PrefsError) in
                try writer.writeInline(element)
            }
        case .dictionary(let content):
            try writeList(content.sortedByKey, content.isEmpty ? "{" : "{ ", content.isEmpty ? "}" : " }") {
                (writer, entry) throws(PrefsError) in
                try writer.writeMember([entry.key], entry.value)
            }
        }
    }

    /// Writes `key = value` inside a table in braces.
    mutating func writeMember(_ path: [String], _ value: PrefsValue) throws(PrefsError) {
        write("\(Self.key(path)) = ")
        do { try writeInline(value) } catch let error { throw error.below(path[path.count - 1]) }
    }

    private mutating func writeList<Element>(
        _ elements: [Element], _ start: String, _ end: String,
        _ body: (inout TOMLWriter, Element) throws(PrefsError) -> Void
    ) throws(PrefsError) {
        write(start)
        for (index, element) in elements.enumerated() {
            if index > 0 { write(", ") }
            try body(&self, element)
        }
        write(end)
    }

    /// Returns a dotted key, with quotes where a part needs them.
    static func key(_ path: [String]) -> String {
        path.map { part in
            !part.isEmpty && part.utf8.allSatisfy(TOMLScanner.isBare) ? part : PathText.inQuotes(part)
        }.joined(separator: ".")
    }

    /// Swift's shortest representation contains a point or an exponent, so a real stays a real.
    private static func text(of real: Double) -> String {
        let sign = real.sign == .minus ? "-" : ""
        if real.isNaN { return sign + "nan" }
        return real.isInfinite ? sign + "inf" : "\(real)"
    }
}
