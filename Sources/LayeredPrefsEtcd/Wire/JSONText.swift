#if Etcd
    import LayeredPrefs

    /// JSON as this client writes it.
    enum JSONText {
        /// A string with its quotation marks and escape sequences.
        static func quoted(_ text: String) -> String {
            var result = "\""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"", "\\": result += "\\\(scalar)"
                case "\u{0}"..."\u{1f}":
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                default: result.unicodeScalars.append(scalar)
                }
            }
            return result + "\""
        }

        /// The text of a value on one line, with the keys of objects in order.
        static func text(of value: PrefsValue) throws(Unwritable) -> String {
            switch value {
            case .string(let text): return quoted(text)
            case .bool(let bool): return bool ? "true" : "false"
            case .integer(let integer):
                guard Int64(exactly: integer) != nil || UInt64(exactly: integer) != nil else {
                    throw Unwritable("the integer does not fit 64 bits")
                }
                return "\(integer)"
            case .real(let real):
                guard real.isFinite else { throw Unwritable("JSON has no \(real)") }
                return "\(real)"
            case .array(let elements):
                var texts: [String] = []
                for element in elements { texts.append(try text(of: element)) }
                return "[\(texts.joined(separator: ","))]"
            case .dictionary(let entries):
                var texts: [String] = []
                for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                    texts.append("\(quoted(key)):\(try text(of: value))")
                }
                return "{\(texts.joined(separator: ","))}"
            case .data: throw Unwritable("JSON has no bytes; declare the key with a text coding")
            case .date: throw Unwritable("JSON has no dates; declare the key with a text coding")
            }
        }

        struct Unwritable: Error {
            let reason: String

            init(_ reason: String) { self.reason = reason }
        }
    }
#endif
