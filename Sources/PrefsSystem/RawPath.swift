/// A path, or one name of a path, as the kernel has it: bytes without NUL, in no particular encoding.
package struct RawPath: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    package init(_ text: String) { bytes = Array(text.utf8) }

    /// Creates a path from a C string.
    package init(cString: UnsafePointer<CChar>) {
        bytes = unsafe Array(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
    }

    private static let slash = UInt8(ascii: "/")

    package var isAbsolute: Bool { bytes.first == Self.slash }

    /// The folder that contains the path: `.` for a bare name.
    package var folder: RawPath {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return "." }
        return slash == 0 ? "/" : RawPath(bytes[..<slash])
    }

    /// The path's last component.
    package var fileName: RawPath {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return self }
        return RawPath(bytes[(slash + 1)...])
    }

    /// The names in the path, without empty ones and `.`.
    package var components: [RawPath] {
        bytes.split(separator: Self.slash).lazy.map { RawPath($0) }.filter { $0 != "." }
    }

    /// Returns the path of a name in the folder that this path names.
    package func appending(_ name: RawPath) -> RawPath {
        RawPath(bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + name.bytes)
    }

    /// Calls `body`, usually a system call, with the path as a C string.
    package func withCString(_ body: (UnsafePointer<CChar>) -> CInt) -> CInt {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { buffer in
            unsafe UnsafeMutableRawBufferPointer(buffer).copyBytes(from: bytes)
            unsafe buffer[bytes.count] = 0
            // There is at least the terminator, so the buffer has an address.
            return unsafe body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}

extension RawPath {
    /// Hashes the bytes at once; an array would hash one after the other.
    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension RawPath: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension RawPath: CustomStringConvertible {
    /// The path as text, for messages: bytes that are not UTF-8 are replaced.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
