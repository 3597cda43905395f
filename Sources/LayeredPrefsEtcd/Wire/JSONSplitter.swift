#if Etcd
    /// Splits a stream of bytes into the JSON objects it consists of.
    ///
    /// etcd ends each object with a newline today, but older versions did not, and a piece received from the
    /// network may end anywhere.
    struct JSONSplitter {
        private var pending: [UInt8] = []
        /// The number of bytes of `pending` that have been scanned.
        private var scanned = 0
        private var depth = 0
        private var isInString = false
        private var isEscaped = false
        private let limit: Int

        /// - Parameter limit: The largest size of an object, in bytes.
        init(limit: Int) { self.limit = limit }

        /// Takes more bytes, and returns the objects that are complete.
        mutating func receive(_ bytes: [UInt8]) throws(MalformedAnswer) -> [[UInt8]] {
            pending += bytes
            var objects: [[UInt8]] = []
            var start = 0
            while scanned < pending.count {
                let isEnd = try scan(pending[scanned])
                scanned += 1
                if isEnd {
                    objects.append(Array(pending[start..<scanned]))
                    start = scanned
                } else if depth == 0 {
                    start = scanned
                }
            }
            pending.removeFirst(start)
            scanned -= start
            guard pending.count <= limit else {
                throw MalformedAnswer("a message larger than \(limit) bytes")
            }
            return objects
        }

        /// Returns true if a byte ends an object.
        private mutating func scan(_ byte: UInt8) throws(MalformedAnswer) -> Bool {
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                return false
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return true }
            case UInt8(ascii: "\"") where depth > 0:
                isInString = true
            case 0x20, 0x09, 0x0a, 0x0d:
                break
            default:
                if depth == 0 { throw MalformedAnswer("expected a JSON object") }
            }
            if depth < 0 { throw MalformedAnswer("expected a JSON object") }
            return false
        }
    }
#endif
