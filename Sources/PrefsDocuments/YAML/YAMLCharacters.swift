#if YAML
    /// The characters that a YAML file may contain.
    ///
    /// libyaml follows YAML 1.1, and ends lines at characters that are ordinary in YAML 1.2. A file with such
    /// characters would not mean the same to every reader, so they are accepted only as escapes.
    enum YAMLCharacters {
        /// Throws at the first byte that is not valid UTF-8, or at a character that must be written as an escape.
        static func check(_ bytes: [UInt8]) throws(ScanFailure) {
            var offset = TextEncoding.start(of: bytes)
            while offset < bytes.count {
                let byte = bytes[offset]
                if byte >= 0x20, byte < 0x7F {
                    offset += 1
                } else if byte >= 0x80 {
                    guard let character = UTF8Sequence(bytes, at: offset) else {
                        throw ScanFailure(offset, "\(byte.quoted) is not valid UTF-8")
                    }
                    if let problem = problem(of: character.scalar) { throw ScanFailure(offset, problem) }
                    offset += character.length
                } else {
                    try checkControl(bytes, at: offset)
                    offset += 1
                }
            }
        }

        private static func checkControl(_ bytes: [UInt8], at offset: Int) throws(ScanFailure) {
            switch bytes[offset] {
            case 0x09, 0x0A: return
            case 0x0D:
                guard offset + 1 < bytes.count, bytes[offset + 1] == 0x0A else {
                    throw ScanFailure(
                        offset, "a carriage return without a line feed; write it as \\r in quotes")
                }
            default:
                throw ScanFailure(
                    offset,
                    "control character \(bytes[offset].quoted); write it as an escape in double quotes")
            }
        }

        private static func problem(of scalar: Unicode.Scalar) -> String? {
            guard mustBeEscaped(scalar) else { return nil }
            return scalar.value == 0xFEFF
                ? "a byte order mark inside the file; remove it"
                : "character U+\(scalar.value.digits(radix: 16, width: 4)); write it as an escape in double quotes"
        }

        /// Returns true for a character beyond ASCII that cannot stand for itself in a file.
        static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x7F...0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
            default: false
            }
        }
    }
#endif
