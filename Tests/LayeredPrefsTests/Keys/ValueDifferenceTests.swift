import Testing

@testable import LayeredPrefs

@Suite struct ValueDifferenceTests {
    struct Row: Sendable {
        var before: PrefsValue
        var after: PrefsValue
        var changes: [String: PrefsValue?]
        var wholes: Set<[String]> = []
    }

    private static let rows = [
        Row(before: [:], after: [:], changes: [:]),
        Row(before: ["a": 1], after: ["a": 1], changes: [:]),
        Row(before: [:], after: ["a": 1], changes: ["a": 1]),
        Row(before: ["a": 1], after: [:], changes: ["a": nil]),
        Row(before: ["a": 1, "b": 2], after: ["a": 3, "b": 2], changes: ["a": 3]),
        Row(before: ["a": 1], after: ["a": 1.0], changes: ["a": 1.0]),
        Row(before: ["a": 0.0], after: ["a": -0.0], changes: ["a": -0.0]),
        Row(before: ["a": [1, 2]], after: ["a": [1]], changes: ["a": [1]]),
        Row(before: ["a": ["x": 1, "y": 2]], after: ["a": ["x": 1, "y": 3]], changes: ["a.y": 3]),
        Row(before: ["a": ["x": 1, "y": 2]], after: ["a": ["x": 1]], changes: ["a.y": nil]),
        Row(before: ["a": ["x": 1]], after: ["a": [:]], changes: ["a.x": nil]),
        Row(before: ["a": [:]], after: ["a": ["x": 1]], changes: ["a.x": 1]),
        Row(before: ["a": ["x": 1]], after: [:], changes: ["a": nil]),
        Row(before: [:], after: ["a": ["x": 1]], changes: ["a.x": 1]),
        Row(before: [:], after: ["a": ["x": 1]], changes: ["a": ["x": 1]], wholes: [["a"]]),
        Row(before: [:], after: ["a": [:]], changes: ["a": [:]]),
        Row(before: ["a": 1], after: ["a": ["x": 1]], changes: ["a": ["x": 1]]),
        Row(before: ["a": ["x": 1]], after: ["a": 1], changes: ["a": 1]),
        Row(before: ["a": ["x": 1]], after: ["b": ["x": 1]], changes: ["a": nil, "b.x": 1]),
        Row(before: ["x": ["a.b": 1]], after: ["x": ["a.b": 2]], changes: [#"x."a.b""#: 2]),
        Row(
            before: ["a": ["x": 1, "y": 2], "b": ["x": 1]], after: ["a": ["x": 2, "y": 2], "b": ["x": 2]],
            changes: ["a": ["x": 2, "y": 2], "b.x": 2], wholes: [["a"]]),
        Row(
            before: ["a": ["b": ["x": 1], "c": 1]], after: ["a": ["b": ["y": 1], "c": 1]],
            changes: ["a.b": ["y": 1]], wholes: [["a", "b"]]),
    ]

    @Test(arguments: rows) func `two dictionaries differ in the entries that one has to change`(row: Row) {
        let difference = ValueDifference(from: row.before, to: row.after, wholes: row.wholes)
        let changes = difference.changes.map { (PrefsPath(components: $0.path).name, $0.value) }
        #expect(Dictionary(changes) { $1 } == row.changes)
        #expect(difference.changes.map(\.path) == row.changes.keys.sorted().map { PrefsPath($0).components })
        #expect(difference.applied(to: row.before) == row.after)
    }

    @Test func `changes are applied to other contents than those they were found in`() {
        let difference = ValueDifference(from: ["a": ["x": 1], "b": 1], to: ["a": ["x": 2], "c": 1])
        #expect(difference.applied(to: [:]) == ["a": ["x": 2], "c": 1])
        #expect(
            difference.applied(to: ["a": ["y": 5], "b": 3, "d": 4]) == [
                "a": ["x": 2, "y": 5], "c": 1, "d": 4,
            ])
        #expect(difference.applied(to: ["a": "off"]) == ["a": ["x": 2], "c": 1])
    }

    @Test(
        arguments: [
            ("a.x", true), ("a", true), ("a.x.deep", true), ("a.y", false), ("b", false), ("ab", false),
        ])
    func `an edit concerns what differs at, above or below its path`(path: String, concerns: Bool) {
        let difference = ValueDifference(from: ["a": ["x": 1, "y": 1]], to: ["a": ["x": 2, "y": 1]])
        #expect(difference.concerns(PrefsPath(path).components[...]) == concerns)
    }
}
