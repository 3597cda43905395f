import TestSupport
import Foundation
import Testing

@testable import PrefsDocuments

/// Random contents, written and read back by this library and by other tools.
struct RoundTripTests {
    private static func contents(
        seed: UInt64, count: Int, _ configure: (inout RandomValues) -> Void = { _ in }
    ) -> [[String: PrefsValue]] {
        var values = RandomValues(seed: seed)
        configure(&values)
        return (0..<count).map { _ in values.content() }
    }

    @Test func `the binary format preserves everything`() throws {
        for content in Self.contents(seed: 1, count: 300) {
            let bytes = try PrefsFileFormat.binaryPropertyList.serialize(content)
            let document = try PrefsDocument(parsing: bytes, as: .binaryPropertyList, strict: true)
            #expect(document.content == content)
        }
    }

    /// Such texts are equal strings, but name two different files.
    @Test func `the binary format preserves each of two canonically equivalent texts`() throws {
        let names = ["\u{E9}", "e\u{301}"]
        let bytes = try PrefsFileFormat.binaryPropertyList.serialize(
            ["names": .array(names.map(PrefsValue.string))])
        let document = try PrefsDocument(parsing: bytes, as: .binaryPropertyList)
        let read = try #require(document.root["names"]).elements.compactMap { node -> [UInt8]? in
            if case .string(let text) = node.value { Array(text.utf8) } else { nil }
        }
        #expect(read == names.map { Array($0.utf8) })
    }

    @Test func `XML preserves everything except fractions of seconds`() throws {
        for content in Self.contents(seed: 2, count: 300, { $0.isForXML = true }) {
            let bytes = try PrefsFileFormat.xmlPropertyList.serialize(content)
            let document = try PrefsDocument(parsing: bytes, as: .xmlPropertyList, strict: true)
            #expect(document.content == content)
        }
    }

    @Test func `JSON preserves what it can represent`() throws {
        for content in Self.contents(seed: 3, count: 300, { $0.isForJSON = true }) {
            let bytes = try PrefsFileFormat.json.serialize(content)
            #expect(try PrefsDocument(parsing: bytes, as: .json, strict: true).content == content)
        }
    }

    #if YAML
        @Test func `YAML preserves what it can represent`() throws {
            for content in Self.contents(seed: 8, count: 300, { $0.isForJSON = true }) {
                let bytes = try PrefsFileFormat.yaml.serialize(content)
                #expect(try PrefsDocument(parsing: bytes, as: .yaml).content == content)
            }
        }
    #endif

    @Test func `equal contents are written identically`() throws {
        for content in Self.contents(seed: 4, count: 50, { $0.isForXML = true }) {
            let shuffled = Dictionary(uniqueKeysWithValues: content.shuffled())
            for format in [PrefsFileFormat.xmlPropertyList, .binaryPropertyList] {
                #expect(try format.serialize(content) == format.serialize(shuffled))
            }
        }
    }

    @Test(arguments: ["\u{0}", "\u{1B}", "\u{FFFF}"])
    func `characters that XML cannot represent are rejected with their key`(_ text: String) {
        let error = #expect(throws: PrefsError.self) {
            try PrefsFileFormat.xmlPropertyList.serialize(["a": ["b": .string(text)]])
        }
        #expect(error?.code == .notEncodable)
        #expect(error?.key == "a.b")
    }

    @Test func `numbers beyond 64 bits are rejected`() {
        for format in [PrefsFileFormat.xmlPropertyList, .binaryPropertyList, .json] {
            for number in [Int128(UInt64.max) + 1, Int128(Int64.min) - 1] {
                #expect(throws: PrefsError.self) { try format.serialize(["a": .integer(number)]) }
            }
        }
    }

    @Test(.enabled(if: Tool.python != nil, "python3 is absent"))
    func `Python reads both formats identically`() throws {
        let folder = try TemporaryFolder()
        let contents = Self.contents(seed: 5, count: 60) { ($0.isForXML, $0.isForOthers) = (true, true) }
        for (index, content) in contents.enumerated() where Self.isKnownToPython(content) {
            let xml = try PrefsFileFormat.xmlPropertyList.serialize(content)
            try folder.write(xml, to: "\(index).original")
            try folder.write(xml, to: "\(index).xml")
            try folder.write(PrefsFileFormat.binaryPropertyList.serialize(content), to: "\(index).binary")
        }
        #expect(folder.names.count > 90)
        let outcome = try Tool.python?.run(["-c", PythonScript.compareCopies, folder.path])
        #expect(outcome?.status == 0, "\(outcome?.output ?? "")")
    }

    @Test(.enabled(if: Tool.python != nil, "python3 is absent"))
    func `files written by Python read back equal`() throws {
        let folder = try TemporaryFolder()
        let contents = Self.contents(seed: 6, count: 60) { ($0.isForXML, $0.isForOthers) = (true, true) }
            .filter(Self.isKnownToPython)
        for (index, content) in contents.enumerated() {
            try folder.write(PrefsFileFormat.binaryPropertyList.serialize(content), to: "\(index)")
        }
        let outcome = try Tool.python?.run(["-c", PythonScript.rewrite, folder.path, "xb"])
        #expect(outcome?.status == 0, "\(outcome?.output ?? "")")
        for (index, content) in contents.enumerated() {
            for suffix in ["xml", "binary"] {
                let document = try PrefsDocument(parsing: folder.read("\(index).\(suffix)"), path: nil)
                #expect(document.content == content, "\(index).\(suffix)")
            }
        }
    }

    /// Python supports only dates in the years 1 to 9999.
    private static func isKnownToPython(_ content: [String: PrefsValue]) -> Bool {
        func isKnown(_ value: PrefsValue) -> Bool {
            switch value {
            case .date(let date):
                (-63_000_000_000...250_000_000_000).contains(date.timeIntervalSinceReferenceDate)
            case .array(let elements): elements.allSatisfy(isKnown)
            case .dictionary(let content): isKnownToPython(content)
            default: true
            }
        }
        return content.allSatisfy { key, value in isKnown(value) && key != "CF$UID" }
    }

    @Test(.enabled(if: Tool.plistutil != nil, "plistutil is absent"), arguments: ["xml", "bin"])
    func `plistutil reads and writes the same contents`(format: String) throws {
        let folder = try TemporaryFolder()
        let contents = Self.contents(seed: 7, count: 25) { ($0.isForXML, $0.isForOthers) = (true, true) }.map(
            Self.knownToPlistutil)
        for (index, content) in contents.enumerated() {
            let xml = try folder.write(PrefsFileFormat.xmlPropertyList.serialize(content), to: "\(index).x")
            let binary = try folder.write(
                PrefsFileFormat.binaryPropertyList.serialize(content), to: "\(index).b")
            for input in [xml, binary] {
                let output = input + ".out"
                let outcome = try Tool.plistutil?.run(["-i", input, "-o", output, "-f", format])
                #expect(outcome?.status == 0, "\(outcome?.output ?? "")")
                let name = output.split(separator: "/").last.map(String.init) ?? ""
                let document = try PrefsDocument(parsing: folder.read(name), path: nil)
                #expect(document.content == content, "\(name)")
            }
        }
    }

    /// libplist 2.2 rounds reals in XML, stores dates in 32 bits, and drops blank strings.
    private static func knownToPlistutil(_ content: [String: PrefsValue]) -> [String: PrefsValue] {
        func known(_ value: PrefsValue) -> PrefsValue {
            switch value {
            case .real(let value):
                .real(
                    value.isFinite
                        ? Double(
                            Int32(truncatingIfNeeded: Int(clamping: Int64(value.rounded().clamped))) % 1000)
                            / 4 : 0.5)
            case .date: .date(Date(timeIntervalSinceReferenceDate: 12345))
            case .integer(let value): .integer(value > Int128(Int64.max) ? 1 : value)
            case .string(let text): .string(text.isEmpty ? "s" : text)
            case .array(let elements): .array(elements.map(known))
            case .dictionary(let content): .dictionary(knownToPlistutil(content))
            default: value
            }
        }
        return Dictionary(
            uniqueKeysWithValues: content.filter { !$0.key.contains("UID") }.map { ($0.key, known($0.value)) }
        )
    }
}

extension Double {
    fileprivate var clamped: Double { Swift.min(Swift.max(self, -1e9), 1e9) }
}
