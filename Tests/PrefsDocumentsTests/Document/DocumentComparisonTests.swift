import TestSupport
import Testing

@testable import PrefsDocuments

struct DocumentComparisonTests {
    @Test(arguments: [
        ("an equal file", "<key>a</key><true/>", "<key>a</key>  <true/>", []),
        ("another value", "<key>a</key><true/>", "<key>a</key><false/>", ["a"]),
        ("another type", "<key>a</key><dict/>", "<key>a</key><array/>", ["a"]),
        ("a new first key", "<key>b</key><true/>", "<key>a</key><true/><key>b</key><true/>", ["a"]),
        ("the first key removed", "<key>a</key><true/><key>b</key><true/>", "<key>b</key><true/>", ["a"]),
        (
            "another order", "<key>a</key><true/><key>b</key><real>1</real>",
            "<key>b</key><real>1</real><key>a</key><true/>", []
        ),
        (
            "an additional element", "<key>a</key><array><true/></array>",
            "<key>a</key><array><true/><true/></array>", ["a"]
        ),
        (
            "within a dictionary", "<key>a</key><dict><key>b</key><true/><key>c</key><true/></dict>",
            "<key>a</key><dict><key>b</key><false/><key>d</key><true/></dict>", ["a.b", "a.c", "a.d"]
        ),
        ("a dotted key", "<key>a.b</key><true/>", "<key>a.b</key><false/>", ["a.b"]),
        ("a reference in a key", "<key>a&amp;b</key><true/>", "<key>a&#38;b</key><true/>", []),
        (
            "a key in another Unicode composition", "<key>\u{E9}</key><true/>", "<key>e\u{301}</key><true/>",
            ["e\u{301}"]
        ),
        (
            "a text in another Unicode composition", "<key>a</key><string>\u{E9}</string>",
            "<key>a</key><string>e\u{301}</string>", ["a"]
        ),
        (
            "a text with a reference", "<key>a</key><string>\u{E9}</string>",
            "<key>a</key><string>&#xE9;</string>", []
        ),
        (
            "a shadowed duplicate removed", "<key>a</key><true/><key>a</key><real>1</real>",
            "<key>a</key><real>1</real>", []
        ),
        (
            "the last of duplicates", "<key>a</key><true/><key>a</key><real>1</real>",
            "<key>a</key><true/><key>a</key><real>2</real>", ["a"]
        ),
    ])
    func `reports differing paths`(what: String, old: String, new: String, expected: [String]) throws {
        let (old, new) = (try Self.xml(old), try Self.xml(new))
        #expect(Self.differences(old, new) == expected)
        #expect(old.root.hasSameContent(as: new.root) == expected.isEmpty)
    }

    /// Entries in the same order or not, from a file or not, large enough for a hash table or not.
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `documents differ exactly where their values do`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let count = [3, 8, 9, 40][Int(seed % 4)]
        let content = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", Self.value(&random)) })
        var edited = content
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let key = "key\(Int.random(in: 0..<count + 3, using: &random))"
            edited[key] = Bool.random(using: &random) ? nil : Self.value(&random)
        }
        let formats: [PrefsFileFormat] = [.xmlPropertyList, .binaryPropertyList, .json]
        let (format, other) = (formats.randomElement(using: &random)!, formats.randomElement(using: &random)!)
        // The order of a Swift dictionary is random, so the order in the files is random, too.
        let (old, new) = try (
            PrefsDocument(parsing: format.serialize(content), as: format),
            PrefsDocument(parsing: other.serialize(edited), as: other)
        )
        let expected = Self.differences(content, edited, at: [])
        #expect(Self.differences(old, new) == expected.sorted())
        #expect(old.root.hasSameContent(as: new.root) == (content == edited))
    }

    private static func value(_ random: inout SeededGenerator) -> PrefsValue {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .dictionary(["a": .integer(Int128.random(in: 0...1, using: &random)), "b": ["c": true]])
        case 1: .array([.integer(Int128.random(in: 0...1, using: &random))])
        case 2: .string("<\(Int.random(in: 0...1, using: &random))&")
        default: .integer(Int128.random(in: 0...2, using: &random))
        }
    }

    private static func differences(_ old: PrefsDocument, _ new: PrefsDocument) -> [String] {
        var paths: [String] = []
        new.root.forEachDifference(from: old.root, at: nil) { paths.append($0.name) }
        return paths.sorted()
    }

    /// Returns the highest paths where two dictionaries differ, compared as values.
    private static func differences(
        _ old: [String: PrefsValue], _ new: [String: PrefsValue], at path: [String]
    ) -> [String] {
        Set(old.keys).union(new.keys).flatMap { key in
            let place = path + [key]
            if let before = old[key]?.dictionary, let after = new[key]?.dictionary {
                return differences(before, after, at: place)
            }
            return old[key] == new[key] ? [] : [place.joined(separator: ".")]
        }
    }

    private static func xml(_ entries: String) throws -> PrefsDocument {
        try PrefsDocument(parsing: Array("<plist><dict>\(entries)</dict></plist>".utf8), as: .xmlPropertyList)
    }
}
