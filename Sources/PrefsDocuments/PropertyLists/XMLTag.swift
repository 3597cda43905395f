/// The elements of a property list, with the ASCII bytes of their names as raw values.
enum XMLTag: UInt64, CaseIterable {
    case plist = 0x70_6C_69_73_74
    case dict = 0x64_69_63_74
    case array = 0x61_72_72_61_79
    case key = 0x6B_65_79
    case string = 0x73_74_72_69_6E_67
    case integer = 0x69_6E_74_65_67_65_72
    case real = 0x72_65_61_6C
    case `true` = 0x74_72_75_65
    case `false` = 0x66_61_6C_73_65
    case data = 0x64_61_74_61
    case date = 0x64_61_74_65

    var name: String {
        let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: rawValue >> UInt64($0 * 8)) }
        return String(decoding: bytes.drop { $0 == 0 }, as: UTF8.self)
    }
}

extension XMLTag {
    /// Returns a property list tag at an offset, for a message: `<string>`, `</dict>`; `nil` for any other text.
    static func named(at offset: Int, in bytes: [UInt8]) -> String? {
        let isClosing = offset + 1 < bytes.count && bytes[offset + 1] == UInt8(ascii: "/")
        let rest = bytes[offset...].dropFirst(isClosing ? 2 : 1)
        let tag = allCases.first { tag in
            let end = rest.dropFirst(tag.name.utf8.count).first ?? UInt8(ascii: ">")
            return rest.starts(with: tag.name.utf8) && (end.isBlank || "/>".utf8.contains(end))
        }
        return tag.map { "<\(isClosing ? "/" : "")\($0.name)>" }
    }
}
