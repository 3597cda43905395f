import PrefsSystem

/// Standard output and standard error, whole lines at a time.
///
/// Standard output is gathered until ``flush()``, so that a command costs one system call; whoever follows a
/// stream flushes after each line.
enum Output {
    private static let pending = Lock<[UInt8]>([])

    static func print(_ line: String) {
        pending.withLock { bytes in
            bytes.append(contentsOf: line.utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    static func print(bytes content: [UInt8]) {
        pending.withLock { $0.append(contentsOf: content) }
    }

    /// Says something to whoever runs the command, after what was printed before it.
    static func complain(_ line: String) {
        flush()
        _ = put(Array("\(line)\n".utf8), to: STDERR_FILENO)
    }

    /// Hands on what was printed; `false` where it could not be.
    @discardableResult
    static func flush() -> Bool {
        pending.withLock { bytes in
            defer { bytes.removeAll() }
            return put(bytes, to: STDOUT_FILENO)
        }
    }

    private static func put(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
