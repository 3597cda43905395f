import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

struct EditPlacesTests {
    private static func document(_ content: [String: PrefsValue]) throws -> PrefsDocument {
        try PrefsDocument(parsing: PrefsFileFormat.json.serialize(content), as: .json)
    }

    private static func applying(_ edits: [PathEdit], to document: PrefsDocument) throws -> PrefsDocument {
        var places = EditPlaces(in: document)
        for edit in try PrefsSource(.node(document.root)).clearingTheWay(for: edits) { places.add(edit) }
        return try PrefsDocument(parsing: document.editing(places.edits, as: .json), as: .json)
    }

    @Test(
        arguments: [
            ([:], "a.b", 1, ["a": ["b": 1]]),
            (["a.b": 0], "a.b", 1, ["a.b": 1]),
            (["a.b": ["c": 0]], "a.b.c", 1, ["a.b": ["c": 1]]),
            (["a.b": ["c": 0], "a.b.c": 0], "a.b.c", 1, ["a.b": ["c": 0], "a.b.c": 1]),
            (["a.b": ["c": 0], "a.b.c": 0, "a": ["b": ["c": 0]]], "a.b.c", nil, [:]),
            (["a": ["b": 0]], "a.b", 1, ["a": ["b": 1]]),
            (["a": ["b": 0], "a.b": 0], "a.b", nil, [:]),
            (["a": ["b": ["c": 0]], "d": 0], "a.b.c", nil, ["d": 0]),
            (["a": ["b": ["c": 0], "d": 0]], "a.b.c", nil, ["a": ["d": 0]]),
            (["a": [:]], "a.b", nil, ["a": [:]]),
            (["a": "off"], "a.b", nil, ["a": "off"]),
        ] as [([String: PrefsValue], String, PrefsValue?, [String: PrefsValue])])
    func `one edit goes to the spelling that the document has`(
        _ before: [String: PrefsValue], _ key: String, _ value: PrefsValue?, _ after: [String: PrefsValue]
    ) throws {
        let edited = try Self.applying(
            [PathEdit(path: PrefsPath(key), value: value)], to: Self.document(before))
        #expect(edited.content == after)
    }

    /// Files before and after the last key of the section `tls` is removed.
    private static let sections: [(format: PrefsFileFormat, before: String, after: String)] = [
        (.toml, "[tls]\nport = 443\n\n[log]\n", "[log]\n"),
        (.toml, "[tls]\nport = 443 # https\n\n# about log\n[log]\n", "# about log\n[log]\n"),
        (.toml, "a = 1\n\n[tls] # off\nport = 443\n\n[log]\n", "a = 1\n\n[tls] # off\n\n[log]\n"),
        (
            .toml, "[tls]\n# the port\nport = 443\n\n[log]\nlevel = 1\n",
            "[tls]\n# the port\n\n[log]\nlevel = 1\n"
        ),
        (.toml, "[log]\n[tls]\nport = 443\n# port = 80\n", "[log]\n[tls]\n# port = 80\n"),
        (.toml, "[tls]\nport = 443\n# port = 80\n\n[log]\n", "[tls]\n# port = 80\n\n[log]\n"),
        (.toml, "tls.port = 443 # https\n# about x\nx = 1\n", "# about x\nx = 1\n"),
        (.yaml, "tls:\n  port: 443\n# about log\nlog: 1\n", "# about log\nlog: 1\n"),
        (.yaml, "tls: # off\n  port: 443\nlog: 1\n", "tls: {} # off\nlog: 1\n"),
        (.yaml, "tls:\n  # the port\n  port: 443 # https\nlog: 1\n", "tls: {}\n  # the port\nlog: 1\n"),
        (.yaml, "tls:\n  port: 443\n\n  # port: 80\nlog: 1\n", "tls: {}\n\n  # port: 80\nlog: 1\n"),
        (.xmlPropertyList, xml("<integer>443</integer>"), "<plist><dict>\n</dict></plist>\n"),
        (
            .xmlPropertyList, xml("<integer>443</integer>\n<!-- https -->"),
            "<plist><dict>\n<key>tls</key>\n<dict>\n<!-- https -->\n</dict>\n</dict></plist>\n"
        ),
    ]

    private static func xml(_ port: String) -> String {
        "<plist><dict>\n<key>tls</key>\n<dict>\n<key>port</key>\(port)\n</dict>\n</dict></plist>\n"
    }

    @Test(arguments: sections.indices.filter { PrefsFileFormat.texts.contains(sections[$0].format) })
    func `a section with comments stays when its last key is removed`(index: Int) throws {
        let (format, before, after) = Self.sections[index]
        let document = try PrefsDocument(parsing: Array(before.utf8), as: format)
        var places = EditPlaces(in: document)
        places.add(PathEdit(path: PrefsPath("tls.port"), value: nil))
        #expect(String(decoding: try document.editing(places.edits), as: UTF8.self) == after)
    }

    @Test func `comments that went with a key do not keep its section`() throws {
        let document = try PrefsDocument(
            parsing: "[tls]\nport = 443 # https\nhost = 'a'\n\n[log]\n", as: .toml)
        var places = EditPlaces(in: document)
        for key in ["tls.port", "tls.host"] { places.add(PathEdit(path: PrefsPath(key), value: nil)) }
        #expect(String(decoding: try document.editing(places.edits), as: UTF8.self) == "[log]\n")
    }

    @Test(arguments: 0..<200)
    func `edits applied together equal edits applied one after the other`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let keys = ["a", "b", "a.a", "a.b", "b.a", "a.a.a", "a.a.b", "a.b.a", "b.a.a"]
        let values: [PrefsValue?] = [nil, nil, 1, "x", [:], ["a": 1], ["a": ["b": 2]]]
        let edits = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            PathEdit(
                path: PrefsPath(keys.randomElement(using: &random)!),
                value: values.randomElement(using: &random)!)
        }
        var (expected, accepted) = (try Self.document([:]), [PathEdit]())
        for edit in edits {
            do {
                expected = try Self.applying([edit], to: expected)
                accepted.append(edit)
            } catch let error as PrefsError {
                #expect(error.reason.hasSuffix("; remove that first"))
                let same = #expect(throws: PrefsError.self) {
                    try Self.applying(accepted + [edit], to: Self.document([:]))
                }
                #expect(same?.key == error.key && same?.reason == error.reason)
            }
        }
        let together = try Self.applying(accepted, to: Self.document([:]))
        #expect(together.content == expected.content, "\(edits)")
    }
}
