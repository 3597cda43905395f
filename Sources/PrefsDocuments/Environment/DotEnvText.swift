/// The variables of a `.env` file.
///
/// The dialect is the common subset of shells, Docker Compose and the dotenv libraries. Each line assigns one
/// variable; nothing is ever expanded or executed:
///
/// | line                       | value                                                             |
/// |----------------------------|-------------------------------------------------------------------|
/// | `# text`, or a blank line  | none                                                              |
/// | `NAME=some text # note`    | `some text`: without the spaces around it, and without a comment, which begins after a space |
/// | `NAME = text`              | `text`                                                            |
/// | `export NAME=text`         | `text`                                                            |
/// | `NAME='$a "b" \n'`         | literally, up to the next `'`; may contain line breaks             |
/// | `NAME="a\tb \"c\" \$d"`    | with `\n`, `\r`, `\t`, `\\`, `\"`, `\$` and `` \` ``, and a backslash at the end of a line, which joins it to the next; may contain line breaks |
///
/// Where those dialects would expand a variable or run a command (`$NAME`, `${NAME}`, `$(command)`, a backtick),
/// the line is rejected, because both the text and the expansion would be a surprise. A line that is rejected
/// does not affect the others. If a name is assigned twice, the last assignment wins.
package struct DotEnvText: Sendable {
    /// A variable's value and the place of its name.
    package struct Variable: Sendable, Hashable {
        package var text: String
        package var position: PrefsPosition
    }

    /// The variables by name.
    package private(set) var variables: [String: Variable] = [:]
    /// The number of rejected lines whose reasons are kept.
    static let problemLimit = 100

    /// The reason why each line was rejected, with its position. The last problem may stand for many lines.
    package private(set) var problems: [PrefsError] = []

    /// - Parameters:
    ///   - bytes: The file's contents, in UTF-8.
    ///   - path: The file's path, for the problems. The file is not read.
    package init(parsing bytes: [UInt8], path: String? = nil) {
        var scanner = DotEnvScanner(bytes)
        // The position of every variable is computed, although few are shown: counting the lines only where a
        // position is needed would take longer than it saves.
        var lines = LineTable()
        var rejected = 0
        while let line = scanner.next() {
            switch line {
            case .success(let assignment):
                let position = lines.position(of: assignment.start, in: bytes)
                variables[assignment.name] = Variable(text: assignment.text, position: position)
            case .failure(let failure):
                rejected += 1
                guard rejected <= Self.problemLimit else { continue }
                let position = lines.position(of: failure.offset, in: bytes)
                problems.append(
                    PrefsError(
                        failure.code, origin: PrefsOrigin(file: path, position: position),
                        reason: "line not used: \(failure.reason)"))
            }
        }
        guard rejected > Self.problemLimit, let last = problems.last else { return }
        problems.append(
            PrefsError(
                last.code, origin: last.origin,
                reason: "\(rejected - Self.problemLimit) more lines are not used"))
    }
}

/// Reads one assignment after the other.
private struct DotEnvScanner {
    struct Assignment {
        /// The offset of the name.
        let start: Int
        let name: String
        let text: String
    }

    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = TextEncoding.start(of: bytes)
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private var isAtLineEnd: Bool {
        guard let current else { return true }
        if current == UInt8(ascii: "\r") {
            return offset + 1 == bytes.count || bytes[offset + 1] == UInt8(ascii: "\n")
        }
        return current == UInt8(ascii: "\n")
    }

    /// Returns the next assignment, or the reason why a line is not an assignment; `nil` at the end of the file.
    mutating func next() -> Result<Assignment, ScanFailure>? {
        while offset < bytes.count {
            skipBlanks()
            if current == UInt8(ascii: "#") { skipToLineEnd() }
            guard isAtLineEnd else { break }
            skipLineEnd()
        }
        guard offset < bytes.count else { return nil }
        defer {
            skipToLineEnd()
            skipLineEnd()
        }
        do throws(ScanFailure) {
            return .success(try assignment())
        } catch {
            return .failure(error)
        }
    }

    private mutating func skipBlanks() { while current?.isIndentation == true { offset += 1 } }

    private mutating func skipToLineEnd() { while !isAtLineEnd { offset += 1 } }

    private mutating func skipLineEnd() {
        if current == UInt8(ascii: "\r") { offset += 1 }
        if current == UInt8(ascii: "\n") { offset += 1 }
    }

    private mutating func assignment() throws(ScanFailure) -> Assignment {
        var start = offset
        var name = takeName()
        if name == "export", current?.isIndentation == true {
            skipBlanks()
            if current != UInt8(ascii: "=") {
                start = offset
                name = takeName()
            }
        }
        guard !name.isEmpty else {
            throw ScanFailure(
                offset, "expected a variable's name (letters, digits, _), found \(found)")
        }
        skipBlanks()
        guard current == UInt8(ascii: "=") else {
            throw ScanFailure(offset, "expected = after the name, found \(found)")
        }
        offset += 1
        skipBlanks()
        return Assignment(start: start, name: name, text: try value())
    }

    private var found: String { isAtLineEnd ? "the end of the line" : bytes[offset].quoted }

    private mutating func takeName() -> String {
        let start = offset
        while let byte = current, byte.isInName, offset > start || !byte.isDigit { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private mutating func value() throws(ScanFailure) -> String {
        let start = offset
        let content: [UInt8]
        switch current {
        case UInt8(ascii: "'"): content = try singleQuoted()
        case UInt8(ascii: "\""): content = try doubleQuoted()
        default: content = try unquoted()
        }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw ScanFailure(start, "the value is not valid UTF-8")
        }
        guard !content.contains(0) else { throw ScanFailure(start, "the value contains a NUL character") }
        return text
    }

    private mutating func unquoted() throws(ScanFailure) -> [UInt8] {
        let start = offset
        var end = offset
        while !isAtLineEnd, let byte = current {
            if byte == UInt8(ascii: "#"), offset == start || bytes[offset - 1].isIndentation { break }
            try checkExpansion()
            offset += 1
            if !byte.isIndentation { end = offset }
        }
        return Array(bytes[start..<end])
    }

    private mutating func singleQuoted() throws(ScanFailure) -> [UInt8] {
        let start = offset
        guard let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "'")) else {
            throw ScanFailure(start, "the quotation mark ' is not closed")
        }
        offset = end + 1
        try checkEnd()
        return Array(bytes[start + 1..<end])
    }

    private mutating func doubleQuoted() throws(ScanFailure) -> [UInt8] {
        let start = offset
        var content: [UInt8] = []
        var problem: ScanFailure?
        offset += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                content += takeEscape()
                continue
            }
            // The line is rejected as a whole, to its closing quotation mark.
            do throws(ScanFailure) { try checkExpansion() } catch { problem = problem ?? error }
            content.append(byte)
            offset += 1
        }
        guard current != nil else {
            // The following lines are assignments of their own.
            offset = start
            throw ScanFailure(start, "the quotation mark \" is not closed")
        }
        offset += 1
        if let problem { throw problem }
        try checkEnd()
        return content
    }

    /// Reads an escape; a backslash before any other character stands for itself.
    private mutating func takeEscape() -> [UInt8] {
        offset += 1
        guard let byte = current else { return [UInt8(ascii: "\\")] }
        if isAtLineEnd {
            skipLineEnd()
            return []
        }
        offset += 1
        switch byte {
        case UInt8(ascii: "n"): return [UInt8(ascii: "\n")]
        case UInt8(ascii: "r"): return [UInt8(ascii: "\r")]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "$"), UInt8(ascii: "`"): return [byte]
        default: return [UInt8(ascii: "\\"), byte]
        }
    }

    /// Throws where a shell would expand something.
    private func checkExpansion() throws(ScanFailure) {
        let next = offset + 1 < bytes.count ? bytes[offset + 1] : 0
        let isVariable = next.isInName && !next.isDigit || next == UInt8(ascii: "{")
        switch current {
        case UInt8(ascii: "`"): throw ScanFailure(offset, "commands are not run; quote ` with '…'")
        case UInt8(ascii: "$") where next == UInt8(ascii: "("):
            throw ScanFailure(offset, "commands are not run; quote $( with '…'")
        case UInt8(ascii: "$") where isVariable:
            throw ScanFailure(offset, "variables are not expanded; quote $ with '…'")
        default: return
        }
    }

    private mutating func checkEnd() throws(ScanFailure) {
        let end = offset
        skipBlanks()
        if isAtLineEnd || current == UInt8(ascii: "#") && offset > end { return }
        throw ScanFailure(offset, "expected the end of the line after the quoted value, found \(found)")
    }
}

extension UInt8 {
    fileprivate var isInName: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
