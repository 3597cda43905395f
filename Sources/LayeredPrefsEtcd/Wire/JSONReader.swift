#if Etcd
    /// A reader of one JSON text that decodes what is asked for and skips the rest.
    ///
    /// etcd's answers are large arrays of small objects, so no tree is built. Absent fields are the caller's
    /// defaults, because the gateway leaves out zeros and empty values.
    struct JSONReader {
        private let bytes: [UInt8]
        private var position = 0
        private var depth = 0

        /// Containers deeper than this are malformed: etcd's own reach 6.
        private static let deepest = 32

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        /// Calls `field` with each name of an object; it has to read or ``skip()`` the value.
        mutating func object(
            _ field: (String, inout JSONReader) throws(MalformedAnswer) -> Void
        ) throws(MalformedAnswer) {
            try container("{", "}") { reader throws(MalformedAnswer) in
                let name = try reader.string()
                try reader.expect(":")
                try field(name, &reader)
            }
        }

        /// Calls `element` for each element of an array; it has to read or ``skip()`` the element.
        mutating func array(
            _ element: (inout JSONReader) throws(MalformedAnswer) -> Void
        ) throws(MalformedAnswer) {
            try container("[", "]", element)
        }

        private mutating func container(
            _ first: Unicode.Scalar, _ last: Unicode.Scalar,
            _ element: (inout JSONReader) throws(MalformedAnswer) -> Void
        ) throws(MalformedAnswer) {
            try expect(first)
            depth += 1
            guard depth <= Self.deepest else { throw MalformedAnswer("nested too deeply") }
            defer { depth -= 1 }
            if take(last) { return }
            repeat { try element(&self) } while take(",")
            try expect(last)
        }

        /// Reads a 64-bit integer, which the gateway writes as a string.
        mutating func integer<Number: FixedWidthInteger>(
            _ type: Number.Type = Number.self
        ) throws(MalformedAnswer) -> Number {
            let isQuoted = peek() == UInt8(ascii: "\"")
            let text = isQuoted ? try string() : literal()
            guard let number = Number(text) else { throw MalformedAnswer("expected an integer") }
            return number
        }

        mutating func boolean() throws(MalformedAnswer) -> Bool {
            switch literal() {
            case "true": return true
            case "false": return false
            default: throw MalformedAnswer("expected true or false")
            }
        }

        /// Reads the bytes that a string spells in base64.
        mutating func base64() throws(MalformedAnswer) -> [UInt8] {
            let range = try stringRange()
            guard let decoded = Base64.decode(bytes[range]) else { throw MalformedAnswer("expected base64") }
            return decoded
        }

        /// Reads a string; its escape sequences are decoded.
        mutating func string() throws(MalformedAnswer) -> String {
            let range = try stringRange()
            let raw = bytes[range]
            guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
            return try Self.unescaped(raw)
        }

        /// Skips a value of any type.
        mutating func skip() throws(MalformedAnswer) {
            switch peek() {
            case UInt8(ascii: "{"): try object { _, reader throws(MalformedAnswer) in try reader.skip() }
            case UInt8(ascii: "["): try array { reader throws(MalformedAnswer) in try reader.skip() }
            case UInt8(ascii: "\""): _ = try stringRange()
            default: if literal().isEmpty { throw MalformedAnswer("expected a value") }
            }
        }

        /// Throws if anything but white space follows.
        mutating func end() throws(MalformedAnswer) {
            if peek() != nil { throw MalformedAnswer("text after the end") }
        }

        /// Returns true if the next value is an object.
        mutating func isAtObject() -> Bool { peek() == UInt8(ascii: "{") }

        private mutating func peek() -> UInt8? {
            while position < bytes.count {
                switch bytes[position] {
                case 0x20, 0x09, 0x0a, 0x0d: position += 1
                case let byte: return byte
                }
            }
            return nil
        }

        private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard peek() == UInt8(ascii: scalar) else { return false }
            position += 1
            return true
        }

        private mutating func expect(_ scalar: Unicode.Scalar) throws(MalformedAnswer) {
            guard take(scalar) else { throw MalformedAnswer("expected “\(scalar)”") }
        }

        /// The range of the characters between the quotation marks.
        private mutating func stringRange() throws(MalformedAnswer) -> Range<Int> {
            try expect("\"")
            let start = position
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "\""):
                    defer { position += 1 }
                    return start..<position
                case UInt8(ascii: "\\"): position += 2
                default: position += 1
                }
            }
            throw MalformedAnswer("a string without an end")
        }

        private mutating func literal() -> String {
            _ = peek()
            let start = position
            while position < bytes.count, Self.isLiteral(bytes[position]) { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        private static func isLiteral(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }

        private static func unescaped(_ raw: ArraySlice<UInt8>) throws(MalformedAnswer) -> String {
            var units: [UInt16] = []
            var rest = raw
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "\\") else {
                    // Multi-byte characters are copied whole.
                    var run = [byte]
                    while let next = rest.first, next != UInt8(ascii: "\\") {
                        run.append(next)
                        rest.removeFirst()
                    }
                    units += String(decoding: run, as: UTF8.self).utf16
                    continue
                }
                switch rest.popFirst() {
                case UInt8(ascii: "n"): units.append(0x0a)
                case UInt8(ascii: "t"): units.append(0x09)
                case UInt8(ascii: "r"): units.append(0x0d)
                case UInt8(ascii: "b"): units.append(0x08)
                case UInt8(ascii: "f"): units.append(0x0c)
                case UInt8(ascii: "u"):
                    let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                    guard digits.utf8.count == 4, let unit = UInt16(digits, radix: 16) else {
                        throw MalformedAnswer("an invalid escape sequence")
                    }
                    units.append(unit)
                    rest = rest.dropFirst(4)
                case let byte?: units.append(UInt16(byte))
                case nil: throw MalformedAnswer("an invalid escape sequence")
                }
            }
            return String(decoding: units, as: UTF16.self)
        }
    }

    /// An answer that is not what etcd would send.
    struct MalformedAnswer: Error, Equatable {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }
#endif
