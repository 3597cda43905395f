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
        for edit in edits { places.add(edit) }
        return try PrefsDocument(parsing: document.editing(places.edits, as: .json), as: .json)
    }

    @Test(
        arguments: [
            ([:], "a.b", 1, ["a": ["b": 1]]),
            (["a.b": 0], "a.b", 1, ["a.b": 1]),
            (["a": "off"], "a.b", 1, ["a": "off", "a.b": 1]),
            (["a.b": ["c": 0]], "a.b.c", 1, ["a.b": ["c": 1]]),
            (["a.b": ["c": 0], "a.b.c": 0], "a.b.c", 1, ["a.b": ["c": 0], "a.b.c": 1]),
            (["a.b": "off"], "a.b.c", 1, ["a.b": "off", "a.b.c": 1]),
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
        var expected = try Self.document([:])
        for edit in edits { expected = try Self.applying([edit], to: expected) }
        let together = try Self.applying(edits, to: Self.document([:]))
        #expect(together.content == expected.content, "\(edits)")
    }
}
