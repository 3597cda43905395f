#if YAML
    /// Texts of several lines by indentation, `|` and `>`.
    enum YAMLBlockText {
        /// Returns the range of such a text without the end of its last line, and without the blank lines after it
        /// unless its header keeps them.
        static func trimmed(_ range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
            var end = range.upperBound
            if keepsLines(range, in: bytes) {
                if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
                if end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            } else {
                while end > range.lowerBound, bytes[end - 1] != 0x09, bytes[end - 1].isBlank { end -= 1 }
            }
            return range.lowerBound..<end
        }

        /// Returns true if the header of a text keeps the blank lines after it.
        static func keepsLines(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
            bytes[header(of: range, in: bytes)].contains(UInt8(ascii: "+"))
        }

        /// Returns the range of the header: `|`, `>-`, `|2+`.
        static func header(of range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
            let end = bytes[range].firstIndex { $0.isBlank } ?? range.upperBound
            return range.lowerBound..<end
        }

        /// Returns the lines and the header of a text; `nil` if it has to be in quotes.
        static func lines(_ text: String) -> (header: String, lines: [Substring])? {
            let scalars = text.unicodeScalars
            guard scalars.contains("\n"), let first = scalars.first, first != " ", first != "\n",
                first != "\t",
                scalars.allSatisfy({ isPlainCharacter($0) || $0 == "\n" || $0 == "\t" })
            else { return nil }
            var lines = scalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init)
            let endsWithLine = lines.last?.isEmpty == true
            if endsWithLine { lines.removeLast() }
            // Blank lines at the end would need a header that keeps all blank lines, even lines that are added
            // later.
            guard let last = lines.last, last.unicodeScalars.contains(where: { $0 != " " && $0 != "\t" })
            else {
                return nil
            }
            return (endsWithLine ? "|" : "|-", lines)
        }

        /// Returns true for a character that may stand for itself: no reader takes it for a line end, and it
        /// does not control a terminal.
        static func isPlainCharacter(_ scalar: Unicode.Scalar) -> Bool {
            !scalar.isControl && !YAMLCharacters.mustBeEscaped(scalar)
        }
    }
#endif
