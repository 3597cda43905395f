/// An `errno` value, copied before any other call can change it.
package struct Errno: Error, Hashable, Sendable {
    package let code: Int32

    package init(_ code: Int32) {
        self.code = code
    }

    /// The `errno` of the preceding call.
    package static var last: Errno { Errno(errno) }

    package var text: String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
