#if Etcd
    import LayeredPrefs

    extension PrefsValue {
        /// Returns the value as JSON on one line, with the keys of objects in order.
        ///
        /// - Throws: ``PrefsError``, whose reason says what JSON cannot represent.
        func json() throws(PrefsError) -> String {
            switch self {
            case .string(let text): return text.quotedAsJSON
            case .bool(let bool): return "\(bool)"
            case .integer(let integer):
                guard Int64(exactly: integer) != nil || UInt64(exactly: integer) != nil else {
                    throw Self.notEncodable("the integer does not fit 64 bits")
                }
                return "\(integer)"
            case .real(let real):
                guard real.isFinite else { throw Self.notEncodable("JSON has no \(real)") }
                return "\(real)"
            case .array(let elements):
                let texts = try elements.map { element throws(PrefsError) in try element.json() }
                return "[\(texts.joined(separator: ","))]"
            case .dictionary(let entries):
                let members = try entries.sorted { $0.key < $1.key }.map { entry throws(PrefsError) in
                    "\(entry.key.quotedAsJSON):\(try entry.value.json())"
                }
                return "{\(members.joined(separator: ","))}"
            case .data: throw Self.notEncodable("JSON has no bytes; declare the key with a text coding")
            case .date: throw Self.notEncodable("JSON has no dates; declare the key with a text coding")
            }
        }

        private static func notEncodable(_ reason: String) -> PrefsError {
            PrefsError(.notEncodable, reason: reason)
        }
    }

    extension String {
        /// The text with quotation marks and escape sequences.
        var quotedAsJSON: String {
            var result = "\""
            for scalar in unicodeScalars {
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
    }
#endif
