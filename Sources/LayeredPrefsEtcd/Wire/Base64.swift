#if Etcd
    /// Standard base64 with padding, in which the gateway writes keys and values.
    enum Base64 {
        private static let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        private static let padding = UInt8(ascii: "=")
        private static let invalid: UInt8 = 0xff

        private static let digits: [UInt8] = {
            var digits = [UInt8](repeating: invalid, count: 256)
            for (value, character) in alphabet.enumerated() { digits[Int(character)] = UInt8(value) }
            return digits
        }()

        static func encode(_ bytes: [UInt8]) -> String {
            var text: [UInt8] = []
            text.reserveCapacity((bytes.count + 2) / 3 * 4)
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let group = bytes[start..<min(start + 3, bytes.count)]
                var bits = 0
                for index in 0..<3 {
                    bits = bits << 8 | (index < group.count ? Int(group[start + index]) : 0)
                }
                for index in 0..<4 {
                    let digit = alphabet[bits >> (18 - 6 * index) & 63]
                    text.append(index <= group.count ? digit : padding)
                }
            }
            return String(decoding: text, as: UTF8.self)
        }

        /// Returns `nil` for text that is not base64.
        static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
            guard text.count.isMultiple(of: 4) else { return nil }
            let missing = text.suffix(2).count { $0 == padding }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.count / 4 * 3)
            let digits = digits
            let body = text.dropLast(missing)
            var (bits, count) = (0, 0)
            for character in body {
                let digit = digits[Int(character)]
                guard digit != invalid else { return nil }
                bits = (bits << 6 | Int(digit)) & 0xffffff
                count += 1
                if count == 4 {
                    bytes.append(UInt8(bits >> 16))
                    bytes.append(UInt8(bits >> 8 & 0xff))
                    bytes.append(UInt8(bits & 0xff))
                    count = 0
                }
            }
            if missing == 1 {
                bytes.append(UInt8(bits >> 10 & 0xff))
                bytes.append(UInt8(bits >> 2 & 0xff))
            } else if missing == 2 {
                bytes.append(UInt8(bits >> 4 & 0xff))
            }
            return bytes
        }
    }
#endif
