import Testing

@testable import PrefsDocuments

struct EditedDocumentTests {
    private static let before = #"{"a": 1, "b": {"c": [1, {"d": 2}], "e": "x"}, "f": 1.5}"#

    /// Edits, the contents that result from them, and contents that do not.
    static let rows: [(edits: [PrefsDocument.Edit], result: String, others: [String])] = [
        ([], before, [#"{"a": 1, "b": {"c": [1, {"d": 2}], "e": "x"}}"#, #"{"a": 1, "f": 1.5}"#, "{}"]),
        (
            [.set(["a"], to: 2)], #"{"f": 1.5, "b": {"e": "x", "c": [1, {"d": 2}]}, "a": 2}"#,
            [
                before, #"{"a": 2, "b": {"c": [1, {"d": 3}], "e": "x"}, "f": 1.5}"#,
                #"{"a": 2, "b": {"c": [1, {"d": 2}], "e": "x"}, "f": 1.5, "g": 1}"#,
                #"{"a": 2.0, "b": {"c": [1, {"d": 2}], "e": "x"}, "f": 1.5}"#,
            ]
        ),
        (
            [.remove(["b", "c"]), .remove(["missing", "x"])], #"{"a": 1, "b": {"e": "x"}, "f": 1.5}"#,
            [
                before, #"{"a": 1, "b": {}, "f": 1.5}"#, #"{"a": 1, "f": 1.5}"#,
                #"{"a": 1, "b": {"e": "x"}, "f": 1.5, "missing": {}}"#,
            ]
        ),
        (
            [.set(["b", "new", "x"], to: 1), .remove(["a", "y"])],
            #"{"a": 1, "b": {"c": [1, {"d": 2}], "e": "x", "new": {"x": 1}}, "f": 1.5}"#,
            [
                before, #"{"a": 1, "b": {"c": [1, {"d": 2}], "e": "x", "new": {"x": 1, "y": 1}}, "f": 1.5}"#,
                #"{"a": {}, "b": {"c": [1, {"d": 2}], "e": "x", "new": {"x": 1}}, "f": 1.5}"#,
                #"{"a": 1, "b": [], "f": 1.5}"#,
            ]
        ),
        (
            [.set(["b"], to: ["z": .real(.nan)]), .remove(["b", "z"])], #"{"a": 1, "b": {}, "f": 1.5}"#,
            [before, #"{"a": 1, "f": 1.5}"#]
        ),
    ]

    @Test(arguments: rows.indices) func `only the result of the edits is accepted`(index: Int) throws {
        let row = Self.rows[index]
        let old = try PrefsDocument(parsing: Self.before, as: .json)
        let edits = try EditTree(row.edits)
        #expect(try PrefsDocument(parsing: row.result, as: .json).isResult(of: edits, in: old))
        for other in row.others {
            #expect(try !PrefsDocument(parsing: other, as: .json).isResult(of: edits, in: old), "\(other)")
        }
    }
}
