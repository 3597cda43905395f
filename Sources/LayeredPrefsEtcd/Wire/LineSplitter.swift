#if Etcd
    /// Splits a stream of bytes into lines, each of which is one object that etcd sends.
    ///
    /// A piece received from the network may end anywhere.
    struct LineSplitter {
        /// The beginning of a line that has not ended.
        private var pending: [UInt8] = []
        private let limit: Int

        /// - Parameter limit: The largest size of a line, in bytes.
        init(limit: Int) { self.limit = limit }

        /// Takes more bytes, and returns the lines that are complete, without empty ones.
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

        /// Returns what follows the last complete line, if there is anything.
        mutating func takeRest() -> [[UInt8]] {
            defer { pending = [] }
            return pending.isEmpty ? [] : [pending]
        }
    }
#endif
