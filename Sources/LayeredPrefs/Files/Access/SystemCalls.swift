#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Retries a system call while signals interrupt it; on failure, returns its error.
func retryingInterrupts<Value: FixedWidthInteger>(_ call: () -> Value) -> Result<Value, SystemError> {
    while true {
        let result = call()
        guard result == -1 else { return .success(result) }
        let code = errno
        guard code == EINTR else { return .failure(SystemError(code: code)) }
    }
}

/// Calls `read(2)`, under a name that no method shadows.
func readBytes(_ file: CInt, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Result<Int, SystemError> {
    retryingInterrupts { unsafe read(file, buffer.baseAddress, buffer.count) }
}

/// Calls `write(2)`, which may write fewer bytes.
func writeBytes(_ file: CInt, from buffer: UnsafeBufferPointer<UInt8>) -> Result<Int, SystemError> {
    retryingInterrupts { unsafe write(file, buffer.baseAddress, buffer.count) }
}

/// Calls `rename(2)`.
func renameFile(_ path: String, to target: String) throws(SystemError) {
    guard unsafe rename(path, target) == 0 else { throw .last }
}

/// The `errno` of a failed system call.
struct SystemError: Error {
    var code: CInt

    static var last: SystemError { SystemError(code: errno) }

    /// The system's description of the error.
    var reason: String {
        unsafe String(cString: strerror(code))
    }

    func error(_ kind: PrefsError.Code, _ path: String, _ doing: String) -> PrefsError {
        PrefsError(kind, origin: PrefsOrigin(file: path), errno: code, reason: "\(doing): \(reason)")
    }
}

/// An open file, closed exactly once.
struct Descriptor: ~Copyable {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    /// Opens a file with close-on-exec set.
    init(opening path: String, _ flags: CInt, mode: mode_t = 0) throws(SystemError) {
        number = try retryingInterrupts { unsafe open(path, flags | O_CLOEXEC, mode) }.get()
    }

    deinit { close(number) }

    func status() throws(SystemError) -> stat {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else { throw .last }
        return status
    }

    func synchronize() throws(SystemError) {
        _ = try retryingInterrupts { fsync(number) }.get()
    }
}

/// Returns the status of what the path names, without following links; `nil` if it names nothing.
func linkStatus(of path: String) throws(SystemError) -> stat? {
    var status = stat()
    guard unsafe lstat(path, &status) != 0 else { return status }
    let error = SystemError.last
    guard error.code == ENOENT || error.code == ENOTDIR else { throw error }
    return nil
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }

    var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

    func isSameFile(as other: stat) -> Bool {
        st_dev == other.st_dev && st_ino == other.st_ino
    }
}

extension String {
    /// The folder that contains the path: `.` for a bare name.
    var folder: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path's last component.
    var fileName: String {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return String(self[index(after: slash)...])
    }
}
