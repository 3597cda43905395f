import Testing

@testable import PrefsDocuments

struct PrefsValuePathsTests {
    @Test(
        arguments: [
            ([:], ["a"], ["a": 9]), (["a": 1], ["a"], ["a": 9]), ([:], ["a", "b"], ["a": ["b": 9]]),
            (["a": ["c": 1]], ["a", "b"], ["a": ["b": 9, "c": 1]]), (["a": 1], ["a", "b"], ["a": ["b": 9]]),
        ] as [(PrefsValue, [String], PrefsValue)])
    func `inserting creates the dictionaries on the way`(
        before: PrefsValue, path: [String], after: PrefsValue
    ) {
        var value = before
        value.insert(9, at: path[...])
        #expect(value == after)
        #expect(value.value(at: path[...]) == 9)
    }

    @Test(
        arguments: [
            (["a": 1, "b": 2], ["a"], ["b": 2]), (["a": ["b": 1]], ["a", "b"], [:]),
            (["a": ["b": 1, "c": 2]], ["a", "b"], ["a": ["c": 2]]), (["a": [:]], ["a", "b"], ["a": [:]]),
            (["a": 1], ["a", "b"], ["a": 1]), (["a": 1], ["x", "y"], ["a": 1]),
        ] as [(PrefsValue, [String], PrefsValue)])
    func `removing also removes dictionaries that become empty`(
        before: PrefsValue, path: [String], after: PrefsValue
    ) {
        var value = before
        let isRemoved = value.remove(at: path[...])
        #expect(value == after)
        #expect(isRemoved == (before != after))
    }

    @Test(
        arguments: [
            (["a": ["b": 1, "c": 2]], false, ["a": ["c": 2]]), (["a": ["b": 1]], false, ["a": [:]]),
            (["a": 5], false, ["a": 5]), (["a": 5], true, [:]), (["x": 1], true, ["x": 1]),
        ] as [(PrefsValue, Bool, PrefsValue)])
    func `cutting keeps the dictionaries on the way`(before: PrefsValue, clears: Bool, after: PrefsValue) {
        var value = before
        value.cut(["a", "b"], clearingTheWay: clears)
        #expect(value == after)
    }

    @Test(
        arguments: [
            (["a": 5], ["a", "b"], true), (["a": 5], ["a"], false), (["a": ["b": 1]], ["a", "b", "c"], true),
            (["a": [:]], ["a", "b"], false), (5, ["a"], true), (5, [], false),
        ] as [(PrefsValue, [String], Bool)])
    func `a value above the path that is not a dictionary blocks it`(
        value: PrefsValue, path: [String], isBlocked: Bool
    ) {
        #expect(value.isBlocked(on: path[...]) == isBlocked)
    }

    @Test func `merging adds the lower entries at every depth`() {
        let upper: PrefsValue = ["a": ["b": 1], "s": 1]
        let lower: PrefsValue = ["a": ["b": 2, "c": 3], "d": 4, "s": ["x": 1]]
        #expect(upper.merged(over: lower) == ["a": ["b": 1, "c": 3], "d": 4, "s": 1])
        #expect(PrefsValue.array([1]).merged(over: [2]) == [1])
    }
}
