import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments

/// A user who may write a file must not be able to crash the program that reads it.
struct HostileInputTests {
    private static let content: [String: PrefsValue] = [
        "a": "x<&é😀", "b": [1, 2.5, true, .data(Data([1, 2, 3]))],
        "c": ["d": .date(Date(timeIntervalSinceReferenceDate: 86400)), "e": .integer(Int128(UInt64.max))],
    ]

    private static let plain: [String: PrefsValue] = ["a": "x<&é😀\n", "b": [1, 2.5, true], "c": ["d": [:]]]

    @Test(arguments: [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json])
    func `a file truncated at any byte is an error`(_ format: PrefsFileFormat) throws {
        var bytes = try format.serialize(format == .json ? Self.plain : Self.content)
        while let last = bytes.last, last.isBlank { bytes.removeLast() }
        for length in 0..<bytes.count {
            #expect(throws: PrefsError.self) {
                try PrefsDocument(parsing: Array(bytes.prefix(length)), as: format)
            }
        }
    }

    @Test(arguments: [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json])
    func `flipping any bit is harmless`(_ format: PrefsFileFormat) throws {
        let bytes = try format.serialize(format == .json ? Self.plain : Self.content)
        for index in bytes.indices {
            for bit in 0..<8 {
                var mutant = bytes
                mutant[index] ^= 1 << UInt8(bit)
                guard let document = try? PrefsDocument(parsing: mutant, as: format, root: nil) else {
                    continue
                }
                _ = document.root.value
            }
        }
    }

    static let nested: [(format: PrefsFileFormat, head: String, open: String, close: String, tail: String)] =
        [
            (.xmlPropertyList, "<plist><dict><key>a</key>", "<array>", "</array>", "</dict></plist>"),
            (
                .xmlPropertyList, "<plist><dict><key>a</key>", "<dict><key>a</key>", "</dict>",
                "</dict></plist>"
            ),
            (.json, "{\"a\":", "[", "]", "}"),
            (.json, "{\"a\":", "{\"a\":", "}", "}"),
        ]

    private static func error(parsing bytes: [UInt8], as format: PrefsFileFormat) -> PrefsError? {
        do throws(PrefsError) {
            _ = try PrefsDocument(parsing: bytes, as: format)
            return nil
        } catch {
            return error
        }
    }

    private static func file(_ index: Int, depth: Int) -> [UInt8] {
        let (format, head, open, close, tail) = nested[index]
        let innermost = open.contains("a") && open != "<array>" ? (format == .json ? "1" : "<true/>") : ""
        let value = String(repeating: open, count: depth) + innermost + String(repeating: close, count: depth)
        return Array((head + value + tail).utf8)
    }

    @Test(arguments: nested.indices)
    func `excessive nesting is an error on a small stack`(index: Int) throws {
        let format = Self.nested[index].format
        for depth in [64, 10_000, 200_000] {
            let bytes = Self.file(index, depth: depth)
            let error = SmallStack.run { Self.error(parsing: bytes, as: format) }
            #expect(error?.code == .tooLarge)
        }
        // The deepest accepted nesting can also be decoded, compared and released on that stack.
        let bytes = Self.file(index, depth: 63)
        let isSound = SmallStack.run { () -> Bool in
            guard let document = try? PrefsDocument(parsing: bytes, as: format) else { return false }
            guard let again = try? PrefsDocument(parsing: bytes + [0x0A], as: format) else { return false }
            return again.root.hasSameContent(as: document.root) && again.root.value == document.root.value
        }
        #expect(isSound)
    }

    @Test(arguments: [8, 24, 100, 120])
    func `a doubling graph is rejected early`(count: Int) {
        let bytes = BinaryFile.doubling(count)
        let error = #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: bytes, as: .binaryPropertyList, root: nil)
        }
        #expect(error?.code == .tooLarge)
    }

    @Test func `entities do not expand`() {
        let declarations = (1...9).map { "<!ENTITY l\($0) \"&l\($0 - 1);&l\($0 - 1);\">" }.joined()
        let text = "<!DOCTYPE plist [<!ENTITY l0 \"ha\">\(declarations)]><plist><string>&l9;</string></plist>"
        #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: Array(text.utf8), as: .xmlPropertyList)
        }
    }

    @Test func `external entities are not read`() {
        let text =
            "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><plist><string>&x;</string></plist>"
        #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: Array(text.utf8), as: .xmlPropertyList)
        }
    }

    @Test func `a file with too many values is rejected`() {
        let text = "<plist><dict><key>a</key><array>" + String(repeating: "<true/>", count: 2_000_001)
        let error = #expect(throws: PrefsError.self) {
            try PrefsDocument(parsing: Array(text.utf8), as: .xmlPropertyList)
        }
        #expect(error?.code == .tooLarge)
    }

    /// Returns a file with one entry below another one.
    private static func file(_ format: PrefsFileFormat, outer: String, inner: String) throws -> [UInt8] {
        try format.serialize([outer: [inner: "value"]])
    }

    @Test(arguments: [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json])
    func `a key is rejected if it is too long together with those above it`(_ format: PrefsFileFormat) throws
    {
        let limits = PrefsLimits(keyLength: 20)
        let fitting = try Self.file(format, outer: "nine char", inner: "ten chars.")
        #expect(throws: Never.self) { try PrefsDocument(parsing: fitting, as: format, limits: limits) }
        for inner in ["eleven char", String(repeating: "a.", count: 50_000)] {
            let error = #expect(throws: PrefsError.self) {
                let bytes = try Self.file(format, outer: "nine char", inner: inner)
                _ = try PrefsDocument(parsing: bytes, as: format, path: "/f", limits: limits)
            }
            #expect(error?.code == .tooLarge)
            #expect(error?.reason.hasSuffix("bytes long; the limit is 20") == true)
            #expect(error?.origin?.position != nil)
        }
    }

    @Test(arguments: PrefsFileFormat.texts + [.binaryPropertyList])
    func `the length of a key is that of its text, however the file spells it`(
        _ format: PrefsFileFormat
    ) throws {
        for outer in ["<&>\"\"\n", "日本語", "é>\u{1F600}"] {
            let bytes = try Self.file(format, outer: outer, inner: outer + "\"日")
            let length = outer.utf8.count * 2 + 5
            func parse(_ limit: Int) throws(PrefsError) -> PrefsDocument {
                try PrefsDocument(parsing: bytes, as: format, limits: PrefsLimits(keyLength: limit))
            }
            #expect(try parse(length).content == [outer: [outer + "\"日": "value"]])
            let error = #expect(throws: PrefsError.self) { try parse(length - 1) }
            #expect(error?.reason.contains("\(length) bytes long") == true)
        }
    }

    private static let marks = String(repeating: "\u{301}\u{316}", count: 15)

    @Test(arguments: [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json])
    func `texts with many combining marks in a row are rejected`(_ format: PrefsFileFormat) throws {
        let accepted: [String: PrefsValue] = ["a" + Self.marks + "b": .string("x" + Self.marks + "y")]
        let bytes = try format.serialize(accepted)
        #expect(try PrefsDocument(parsing: bytes, as: format).content == accepted)
        let rejected: [[String: PrefsValue]] = [
            ["a" + Self.marks + "\u{301}": 1], ["a": .string("x" + Self.marks + "\u{301}")],
        ]
        for content in rejected {
            let bytes = try format.serialize(content)
            let error = #expect(throws: PrefsError.self) { try PrefsDocument(parsing: bytes, as: format) }
            #expect(error?.code == .tooLarge)
            #expect(error?.reason == "more than 30 combining marks in a row")
        }
    }

    @Test(arguments: [
        (PrefsFileFormat.xmlPropertyList, "<plist><dict><key>", "&#x301;", "</key><true/></dict></plist>"),
        (.xmlPropertyList, "<plist><dict><key>a", "\u{301}<!-- -->", "</key><true/></dict></plist>"),
        (.json, "{\"a", "\\u0301", "\": 1}"),
    ])
    func `encoded combining marks count as well`(
        _ format: PrefsFileFormat, head: String, mark: String, tail: String
    ) throws {
        func parse(_ count: Int) throws(PrefsError) {
            let text = head + String(repeating: mark, count: count) + tail
            _ = try PrefsDocument(parsing: text, as: format)
        }
        try parse(30)
        #expect(throws: PrefsError.self) { try parse(31) }
    }

    /// Each file has a container with many references to one object of 70,000 bytes: data, or text in one of
    /// three encodings. A file may expand to sixteen times its size.
    @Test(
        arguments: [(0xA0, 0x40), (0xA0, 0x50), (0xA0, 0x60), (0xA0, 0x70), (0xD0, 0x50), (0xD0, 0x60)]
            as [(UInt8, UInt8)])
    func `many references to one large object are rejected`(container: UInt8, marker: UInt8) throws {
        let size = 70_000
        let count = BinaryFile.number(marker == 0x60 ? size / 2 : size, 4)
        let object = [marker | 0x0F, 0x12] + count + [UInt8](repeating: 0x20, count: size)
        func parse(references: Int) throws(PrefsError) -> PrefsDocument {
            let entries = container == 0xD0 ? references / 2 : references
            let top = [container | 0x0F, 0x10, UInt8(entries)] + [UInt8](repeating: 1, count: references)
            return try PrefsDocument(
                parsing: BinaryFile.bytes([top, object], offsetSize: 4), as: .binaryPropertyList,
                limits: PrefsLimits(keyLength: .max), root: nil)
        }
        #expect(try parse(references: 14).root.count > 0)
        let error = #expect(throws: PrefsError.self) { try parse(references: 20) }
        #expect(error?.code == .tooLarge)
        #expect(error?.reason.hasPrefix("shared objects expand to more than") == true)
        #expect(error?.origin?.position != nil)
    }

    /// A reference takes one byte. A value in memory takes 32 bytes, or 48 in a dictionary; an identifier is
    /// two values.
    @Test(
        arguments: [(0xA0, 0x09, 30_000), (0xD0, 0x09, 20_000), (0xA0, 0x80, 10)] as [(UInt8, UInt8, Int)]
    )
    func `many references to small objects are rejected`(container: UInt8, marker: UInt8, fitting: Int) throws
    {
        func parse(references: Int) throws(PrefsError) -> PrefsDocument {
            let count = BinaryFile.number(references, 4)
            let keys = [UInt8](repeating: 2, count: container == 0xD0 ? references : 0)
            let top = [container | 0x0F, 0x12] + count + keys + [UInt8](repeating: 1, count: references)
            return try PrefsDocument(
                parsing: BinaryFile.bytes([top, [marker, 0x00], [0x51, 0x61]], offsetSize: 4),
                as: .binaryPropertyList, root: nil)
        }
        #expect(try parse(references: fitting).root.count > 0)
        let error = #expect(throws: PrefsError.self) { try parse(references: 200_000) }
        #expect(error?.code == .tooLarge)
        #expect(error?.reason == "shared objects expand to too many values")
    }

    @Test(arguments: [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json], 0..<4)
    func `random mutations are harmless`(_ format: PrefsFileFormat, round: Int) throws {
        var generator = SeededGenerator(seed: UInt64(round))
        let bytes = try format.serialize(format == .json ? Self.plain : Self.content)
        for _ in 0..<500 {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...8, using: &generator) { Self.mutate(&mutant, &generator) }
            guard let document = try? PrefsDocument(parsing: mutant, as: format, root: nil) else { continue }
            _ = document.root.value.description
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: bytes.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        default:
            let end = min(bytes.count, index + Int.random(in: 0..<20, using: &generator))
            bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &generator))
        }
    }
}
