#if Etcd
    /// Splits a stream of bytes into lines. etcd sends one object per line.
    ///
    /// A chunk from the network may end anywhere.
    struct LineSplitter {
        /// The beginning of an incomplete line.
        private var pending: [UInt8] = []
        private let limit: Int

        /// - Parameter limit: The maximum size of a line, in bytes.
        init(limit: Int) { self.limit = limit }

        /// Takes more bytes and returns the complete lines, without empty ones.
        mutating func receive(_ bytes: [UInt8]) throws(MalformedAnswer) -> [[UInt8]] {
            var lines: [[UInt8]] = []
            var rest = bytes[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                pending += rest[..<end]
                lines += takeRest()
                rest = rest[(end + 1)...]
            }
            pending += rest
            guard pending.count <= limit else {
                throw MalformedAnswer("a message larger than \(limit) bytes")
            }
            return lines
        }

        /// Returns the bytes after the last complete line, if there are any.
        mutating func takeRest() -> [[UInt8]] {
            defer { pending = [] }
            return pending.isEmpty ? [] : [pending]
        }
    }
#endif
