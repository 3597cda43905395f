import Testing

@testable import PrefsDocuments

struct EditTreeTests {
    static let rows:
        [(before: [String: PrefsValue], edits: [PrefsDocument.Edit], after: [String: PrefsValue])] = [
            ([:], [.set(["a", "b"], to: 1), .set(["a", "c"], to: 2)], ["a": ["b": 1, "c": 2]]),
            (["a": 1], [.set(["a"], to: 2), .set(["a"], to: 3)], ["a": 3]),
            (["a": ["b": 1]], [.remove(["a"]), .set(["a", "c"], to: 2)], ["a": ["c": 2]]),
            (["a": ["b": 1]], [.set(["a"], to: ["x": 1]), .remove(["a", "x"])], ["a": [:]]),
            (
                [:], [.set(["a"], to: ["b": ["x": 1], "c": 1]), .set(["a", "b", "y"], to: 2)],
                ["a": ["b": ["x": 1, "y": 2], "c": 1]]
            ),
            ([:], [.set(["a"], to: 1), .remove(["a", "b"])], ["a": 1]),
            (["a": ["b": 1]], [.remove(["a", "b"])], ["a": [:]]),
            (["a": 1], [.remove(["a", "b"])], ["a": 1]),
            ([:], [.remove(["a", "b", "c"])], [:]),
        ]

    @Test(arguments: [2, 8, 9, 10, 100])
    func `the last of several edits of a key wins, however many keys there are`(
        count: Int
    ) throws {
        let keys = (0..<count).map { $0 == 1 ? "e\u{301}" : "k\($0)" }
        let again = keys.map { $0 == "e\u{301}" ? "é" : $0 }
        let edits = try EditTree(keys.map { .set([$0], to: 1) } + again.map { .set([$0], to: 2) })
        #expect(edits.entries.map(\.key) == keys)
        var content: [String: PrefsValue] = [:]
        try edits.apply(to: &content)
        #expect(content == Dictionary(uniqueKeysWithValues: keys.map { ($0, 2) }))
        #expect(again.allSatisfy { edits[$0] != nil } && edits["missing"] == nil)
    }

    @Test(arguments: rows.indices)
    func `edits apply in order`(index: Int) throws {
        let row = Self.rows[index]
        var content = row.before
        try EditTree(row.edits).apply(to: &content)
        #expect(content == row.after)
    }

    @Test(
        arguments: [
            ([.set(["a", "b", "c"], to: 1)], .wrongType, "a.b"), ([.set([], to: 1)], .unsupported, nil),
            ([.set(["a"], to: 1), .set(["a", "b"], to: 1)], .wrongType, "a"),
            (
                [.remove([String(repeating: "k", count: 4097)])], .tooLarge,
                String(repeating: "k", count: 60) + "…"
            ),
            (
                [.set(Array(repeating: "", count: 65), to: 1)], .tooLarge,
                String(repeating: ".", count: 60) + "…"
            ),
        ] as [([PrefsDocument.Edit], PrefsError.Code, String?)])
    func `an impossible edit names its key`(
        edits: [PrefsDocument.Edit], code: PrefsError.Code, key: String?
    ) {
        var content: [String: PrefsValue] = ["a": ["b": "text"]]
        let error = #expect(throws: PrefsError.self) { try EditTree(edits).apply(to: &content) }
        #expect(error?.code == code)
        #expect(error?.key == key)
    }
}
