import FoundationEssentials
import Testing

@testable import PrefsDocuments

struct BinaryScannerTests {
    @Test(
        arguments: [
            ([0x08], .bool(false)), ([0x09], .bool(true)), ([0x10, 0xFF], .integer(255)),
            ([0x11, 0xFF, 0xFF], .integer(65535)), ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
            ([0x13] + Array(repeating: 0xFF, count: 8), .integer(-1)),
            (
                [0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8),
                .integer(Int128(UInt64.max))
            ),
            ([0x14] + Array(repeating: 0xFF, count: 16), .integer(-1)),
            ([0x22, 0x3F, 0xC0, 0, 0], .real(1.5)), ([0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], .real(1.5)),
            ([0x33, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0], .date(Date(timeIntervalSinceReferenceDate: 1.5))),
            ([0x43, 1, 2, 3], .data(Data([1, 2, 3]))), ([0x40], .data(Data())),
            ([0x52, 0x68, 0x69], .string("hi")), ([0x61, 0, 0xE9], .string("é")),
            ([0x62, 0xD8, 0x3D, 0xDE, 0x00], .string("😀")), ([0x72, 0xC3, 0xA9], .string("é")),
            ([0x5F, 0x10, 0x02, 0x68, 0x69], .string("hi")),
            ([0x80, 7], .dictionary(["CF$UID": 7])), ([0x81, 1, 0], .dictionary(["CF$UID": 256])),
            ([0xA0], .array([])), ([0xA2, 1, 1], .array(["a", "a"])),
            ([0xD1, 1, 1], .dictionary(["a": "a"])),
        ] as [([UInt8], PrefsValue)])
    func `reads every type of object`(_ object: [UInt8], as value: PrefsValue) throws {
        let document = try PrefsDocument(parsing: BinaryFile.holding(object), as: .binaryPropertyList)
        #expect(document.content == ["a": value])
        #expect(document.root["a"]?.position == .byte(13))
    }

    @Test(arguments: 1...8, 1...8)
    func `references and offsets may have any size`(referenceSize: Int, offsetSize: Int) throws {
        let one = BinaryFile.number(1, referenceSize)
        let two = BinaryFile.number(2, referenceSize)
        let bytes = BinaryFile.bytes(
            [[0xD1] + one + two, [0x51, 0x61], [0x09]], referenceSize: referenceSize, offsetSize: offsetSize)
        #expect(try PrefsDocument(parsing: bytes, as: .binaryPropertyList).content == ["a": true])
    }

    @Test func `a duplicate key causes a warning and the last definition wins`() throws {
        let bytes = BinaryFile.bytes([[0xD2, 1, 1, 2, 3], [0x51, 0x61], [0x08], [0x09]])
        let document = try PrefsDocument(parsing: bytes, as: .binaryPropertyList)
        #expect(document.content == ["a": true])
        #expect(document.warnings.count == 1)
    }

    /// A file, the offset of its error, and part of the message.
    static let faults: [(bytes: [UInt8], place: Int, words: String)] = [
        (Array("bplist00".utf8), 8, "ends too early"),
        (Array("<plist>".utf8), 0, "begins with “bplist00”"),
        (Array("bplist15".utf8) + Array(repeating: 0, count: 40), 6, "expected version 00"),
        (BinaryFile.bytes([[0x51, 0x61]], offsetSize: 0), 16, "1 to 8 bytes per offset"),
        (BinaryFile.bytes([[0x09]], referenceSize: 9), 17, "1 to 8 bytes per reference"),
        (BinaryFile.bytes([[0x09]], count: 0), 18, "number of objects"),
        (BinaryFile.bytes([[0x09]], count: 1 << 62), 18, "number of objects"),
        (BinaryFile.bytes([[0x09]], top: 1), 26, "top object"),
        (BinaryFile.bytes([[0x09]], table: 3), 34, "offset table"),
        (BinaryFile.bytes([[0x09]], table: 1 << 40), 34, "offset table"),
        (BinaryFile.bytes([[0x09]], gap: [1, 2]), 10, "unexpected bytes"),
        (BinaryFile.bytes([[0xA1, 7]]), 9, "reference to object 7"),
        (BinaryFile.holding([0x00]), 13, "null"), (BinaryFile.holding([0x0F]), 13, "begin an object"),
        (BinaryFile.holding([0x15]), 13, "begin an object"), (BinaryFile.holding([0xC1, 1]), 13, "a set"),
        (BinaryFile.holding([0x14, 1] + Array(repeating: 0, count: 15)), 13, "neither Int64 nor UInt64"),
        (BinaryFile.holding([0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]), 13, "not finite"),
        (BinaryFile.holding([0x13, 1]), 13, "extends past"),
        (BinaryFile.holding([0x58, 1]), 13, "extends past"),
        (BinaryFile.holding([0x51, 0xE9]), 13, "contains non-ASCII bytes"),
        (BinaryFile.holding([0x61, 0xD8, 0x00]), 13, "not valid UTF-16"),
        (BinaryFile.holding([0x61, 0xDC, 0x00]), 13, "not valid UTF-16"),
        (BinaryFile.holding([0x71, 0xFF]), 13, "not valid UTF-8"),
        (BinaryFile.holding([0x5F, 0x09]), 14, "expected the count"),
        (BinaryFile.holding([0x5F, 0x13, 1]), 14, "the count extends past"),
        (BinaryFile.holding([0x5F, 0x13] + Array(repeating: 0xFF, count: 8)), 14, "larger than any file"),
        (BinaryFile.holding([0xAF, 0x13, 0x40] + Array(repeating: 0, count: 7)), 14, "larger than any file"),
        (BinaryFile.holding([0x6F, 0x12, 0x3F, 0xFF, 0xFF, 0xFF]), 13, "extends past"),
        (BinaryFile.holding([0x88] + Array(repeating: 0xFF, count: 9)), 13, "identifier out of range"),
        (BinaryFile.bytes([[0xD1, 1, 1], [0x10, 1]]), 11, "expected a string as a dictionary's key"),
        (BinaryFile.bytes([[0xA1, 0]]), 8, "contains itself"),
        (BinaryFile.bytes([[0xD1, 1, 0], [0x51, 0x61]]), 8, "contains itself"),
    ]

    @Test(arguments: faults.indices)
    func `an error names the byte offset`(index: Int) {
        let (bytes, place, words) = Self.faults[index]
        let error = #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: bytes, as: .binaryPropertyList, path: "f")
        }
        #expect(
            error?.origin == PrefsOrigin(file: "f", position: .byte(place)), "\(error?.description ?? "")")
        #expect(error?.reason.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test func `shared objects are read once per use`() throws {
        let bytes = BinaryFile.bytes([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x62], [0xA1, 4], [0x09]])
        #expect(
            try PrefsDocument(parsing: bytes, as: .binaryPropertyList).content == ["a": [true], "b": [true]])
    }
}
