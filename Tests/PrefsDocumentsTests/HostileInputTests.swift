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
        // The deepest accepted nesting can also be decoded, compared and released there.
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
