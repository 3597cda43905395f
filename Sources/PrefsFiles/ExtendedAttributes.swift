import PrefsSystem

/// The extended attributes of an open file.
enum ExtendedAttributes {
    static let accessList = "system.posix_acl_access"
    /// The hashes or signatures of a file's contents and attributes (IMA, EVM). They are wrong for any other
    /// contents, and the kernel makes new ones.
    static let measurements: Set = ["security.ima", "security.evm"]

    static func names(of file: CInt) -> [String] {
        let size = flistxattr(file, nil, 0)
        guard size > 0 else { return [] }
        // The list may grow between the two calls; doubling the size makes truncation unlikely.
        let list = unsafe [CChar](unsafeUninitializedCapacity: size * 2) { buffer, count in
            count = max(0, unsafe flistxattr(file, buffer.baseAddress, buffer.count))
        }
        return list.split(separator: 0).map {
            String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
    }

    /// Returns the attribute's value; `nil` if the file has no such attribute, or if this process may not read it.
    static func value(of name: String, in file: CInt) -> [UInt8]? {
        let size = unsafe fgetxattr(file, name, nil, 0)
        guard size >= 0 else { return nil }
        var result = size
        let value = unsafe [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, count in
            result = unsafe fgetxattr(file, name, buffer.baseAddress, buffer.count)
            count = max(0, result)
        }
        return result >= 0 ? value : nil
    }

    static func set(_ name: String, to value: [UInt8], in file: CInt) -> CInt {
        unsafe fsetxattr(file, name, value, value.count, 0)
    }

    /// Removes the rights of the file's own group from an access list. A list is a version, and then entries of
    /// 8 bytes. Each entry has its tag in the first two bytes, and the rights in the next two.
    static func removeGroupRights(from list: inout [UInt8]) {
        let owningGroup: UInt8 = 0x04
        for entry in stride(from: 4, to: list.count - 7, by: 8) where list[entry] == owningGroup {
            list[entry + 2] = 0
        }
    }

    static func remove(_ name: String, from file: CInt) -> CInt {
        unsafe fremovexattr(file, name)
    }
}
