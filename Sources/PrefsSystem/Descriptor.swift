/// Retries a system call while signals interrupt it. Returns its error on failure.
package func retryingInterrupts<Value: FixedWidthInteger>(_ call: () -> Value) -> Result<Value, Errno> {
    while true {
        let result = call()
        guard result == -1 else { return .success(result) }
        let code = errno
        guard code == EINTR else { return .failure(Errno(code)) }
    }
}

/// Calls `read(2)`, under a name that no method shadows.
package func readBytes(_ file: CInt, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Result<Int, Errno> {
    retryingInterrupts { unsafe read(file, buffer.baseAddress, buffer.count) }
}

/// Calls `write(2)`, which may write fewer bytes.
package func writeBytes(_ file: CInt, from buffer: UnsafeBufferPointer<UInt8>) -> Result<Int, Errno> {
    retryingInterrupts { unsafe write(file, buffer.baseAddress, buffer.count) }
}

/// Writes bytes to an open file, with as many calls as necessary.
package func writeAll(_ bytes: [UInt8], to file: CInt) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBufferPointer { unsafe writeBytes(file, from: $0) }
        rest = rest.dropFirst(try written.get())
    }
}

/// An open file, closed exactly once.
package struct Descriptor: ~Copyable {
    package let number: CInt

    package init(_ number: CInt) { self.number = number }

    /// Opens a file with close-on-exec set.
    package init(opening path: String, _ flags: CInt, mode: mode_t = 0) throws(Errno) {
        // Passed as an argument, the text would be copied.
        let opened = unsafe path.withCString { path in
            retryingInterrupts { unsafe open(path, flags | O_CLOEXEC, mode) }
        }
        number = try opened.get()
    }

    deinit { close(number) }

    package func status() throws(Errno) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last }
        return status
    }

    package func synchronize() throws(Errno) {
        _ = try retryingInterrupts { fsync(number) }.get()
    }
}
