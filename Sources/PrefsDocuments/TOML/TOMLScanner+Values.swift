extension TOMLScanner {
    /// Reads a value and everything in it. It keeps open arrays and inline tables in an array, not on the stack.
    mutating func scanValue(of key: DocumentNode, in parent: Int, from start: Int) throws(ScanFailure) {
        var open: [Int] = []
        if try add(key, to: parent, from: start, &open) { return }
        while let container = open.last {
            let isArray = tree[container].kind == .array
            isArray ? try skipSpace() : skipBlanks()
            let isFirst = tree.isEmptyContainer(container)
            if current == (isArray ? UInt8(ascii: "]") : UInt8(ascii: "}")) {
                close(container, &open)
                continue
            }
            if !isFirst {
                try skip(UInt8(ascii: ","), isArray ? "“,” or “]”" : "“,” or “}”")
                isArray ? try skipSpace() : skipBlanks()
                if isArray, current == UInt8(ascii: "]") {
                    close(container, &open)
                    continue
                }
            }
            let start = offset
            if isArray {
                _ = try add(DocumentNode(start: 0, end: 0, kind: .string), to: container, from: start, &open)
            } else {
                let (name, parent) = try scanKey(in: container, from: start)
                _ = try add(name, to: parent, from: start, &open)
            }
        }
    }

    private mutating func close(_ container: Int, _ open: inout [Int]) {
        offset += 1
        tree.end(container, at: offset)
        open.removeLast()
    }

    /// Reads a scalar, or the bracket that opens a container. Returns true if the value is complete.
    private mutating func add(
        _ key: DocumentNode, to parent: Int, from entryStart: Int, _ open: inout [Int]
    ) throws(ScanFailure) -> Bool {
        var node = key
        node.flags.remove(.separate)
        node.start = UInt32(offset)
        let isContainer = current == UInt8(ascii: "[") || current == UInt8(ascii: "{")
        if isContainer {
            guard open.count < limits.depth else {
                throw ScanFailure(offset, "nested deeper than \(limits.depth) levels", code: .tooLarge)
            }
            node.kind = current == UInt8(ascii: "[") ? .array : .dictionary
            offset += 1
        } else {
            try readScalar(&node)
        }
        node.end = UInt32(offset)
        let index = try tree.add(node, .value, to: parent, entryStart: entryStart)
        if isContainer { open.append(index) }
        return !isContainer
    }

    /// Skips white space, line ends and comments, which may stand between the elements of an array.
    private mutating func skipSpace() throws(ScanFailure) {
        while true {
            skipBlanks()
            switch current {
            case UInt8(ascii: "#"): try skipComment()
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): try skipNewline("the end of the line")
            default: return
            }
        }
    }

    private mutating func readScalar(_ node: inout DocumentNode) throws(ScanFailure) {
        let start = offset
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") {
            let run = try readValueString()
            try text.checkMarks(in: run)
            node.kind = .string
            node.setContent(run)
            return
        }
        if readPlainNumber(&node) { return }
        while TOMLScalar.isPart(current) { offset += 1 }
        // A space may separate a date from its time.
        if offset - start == 10, current == 0x20, byte(after: 1).isDigit,
            bytes[start + 4] == UInt8(ascii: "-")
        {
            offset += 1
            while TOMLScalar.isPart(current) { offset += 1 }
        }
        guard offset > start else { throw ScanFailure(offset, "expected a value, found \(found)") }
        switch try TOMLScalar(bytes[start..<offset]) {
        case .bool(let value): (node.kind, node.payload) = (.bool, value ? 1 : 0)
        case .integer(let value): (node.kind, node.payload) = (.integer, UInt64(bitPattern: value))
        case .real(let value): (node.kind, node.payload) = (.real, value.bitPattern)
        case .date(let seconds): (node.kind, node.payload) = (.date, seconds.bitPattern)
        case .local:
            node.kind = .string
            node.content = start..<offset
        }
    }

    /// Reads a decimal number without underscores and an exponent, as nearly all numbers are. Returns false for
    /// any other value, and reads nothing.
    private mutating func readPlainNumber(_ node: inout DocumentNode) -> Bool {
        let isNegative = current == UInt8(ascii: "-")
        let start = isNegative ? offset + 1 : offset
        var end = start
        var integer: Int64 = 0
        while end < bytes.count, bytes[end].isDigit {
            // With too many digits, the value overflows and is not used.
            integer = integer &* 10 &+ Int64(bytes[end] &- 0x30)
            end += 1
        }
        guard end > start, end - start <= 18, bytes[start] != 0x30 || end == start + 1 else { return false }
        let point = end
        if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
            end += 1
            while end < bytes.count, bytes[end].isDigit { end += 1 }
        }
        guard end != point + 1, end == bytes.count || !TOMLScalar.isPart(bytes[end]) else { return false }
        if end == point {
            (node.kind, node.payload) = (.integer, UInt64(bitPattern: isNegative ? -integer : integer))
        } else {
            guard let real = Double(String(decoding: bytes[offset..<end], as: UTF8.self)) else {
                return false
            }
            (node.kind, node.payload) = (.real, real.bitPattern)
        }
        offset = end
        return true
    }
}

extension TOMLScanner {
    /// Reads a string in one pair of quotes, and returns the run between them.
    mutating func readString() throws(ScanFailure) -> TextRun {
        let (start, quote) = (offset, current)
        offset += 1
        var run = TextRun(range: offset..<offset)
        while true {
            skipPlainText(before: quote, UInt8(ascii: "\\"))
            guard offset < bytes.count, current != UInt8(ascii: "\n") else {
                throw ScanFailure(start, "unterminated string")
            }
            switch current {
            case quote:
                run.range = start + 1..<offset
                offset += 1
                return run
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
                try skipEscape(of: &run, mayFold: false)
            default: try skipCharacter(of: &run)
            }
        }
    }

    private mutating func skipEscape(of run: inout TextRun, mayFold: Bool) throws(ScanFailure) {
        let escape = try TOMLText.readEscape(bytes, at: offset, mayFold: mayFold)
        if escape.scalar?.isASCII == false { run.isASCII = false }
        run.isEncoded = true
        offset = escape.end
    }

    private mutating func skipCharacter(of run: inout TextRun) throws(ScanFailure) {
        if current >= 0x80 { run.isASCII = false }
        try skipCharacter("a string; write it as an escape")
    }

    private mutating func readValueString() throws(ScanFailure) -> TextRun {
        let quote = current
        guard byte(after: 1) == quote, byte(after: 2) == quote else { return try readString() }
        return try readMultilineString(quote)
    }

    /// Reads a string in three pairs of quotes. A line end directly after the opening quotes is not part of the
    /// string. Up to two quotes directly before the closing quotes are part of it.
    private mutating func readMultilineString(_ quote: UInt8) throws(ScanFailure) -> TextRun {
        let start = offset
        offset += 3
        if current == UInt8(ascii: "\r"), byte(after: 1) == UInt8(ascii: "\n") { offset += 1 }
        if current == UInt8(ascii: "\n") { offset += 1 }
        let content = offset
        var run = TextRun(range: content..<content)
        while true {
            skipPlainText(before: quote, UInt8(ascii: "\\"))
            guard offset < bytes.count else { throw ScanFailure(start, "unterminated string") }
            switch current {
            case quote where byte(after: 1) == quote && byte(after: 2) == quote:
                var extra = 0
                while extra < 2, byte(after: 3 + extra) == quote { extra += 1 }
                offset += 3 + extra
                run.range = content..<offset - 3
                return run
            case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""): try skipEscape(of: &run, mayFold: true)
            case UInt8(ascii: "\n"): offset += 1
            case UInt8(ascii: "\r") where byte(after: 1) == UInt8(ascii: "\n"): offset += 2
            default: try skipCharacter(of: &run)
            }
        }
    }
}
