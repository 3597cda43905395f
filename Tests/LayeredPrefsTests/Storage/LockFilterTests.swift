import PrefsDocuments
import Testing

@testable import LayeredPrefs

/// The values of `http` in two layers with a lock in `system`, and the values that the lock leaves.
struct LockFilterRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var lock = "http.port"
    var user: PrefsValue
    var userIsText = false
    var system: PrefsValue = ["port": 1, "host": "s"]
    var defaultValue: PrefsValue?
    var mergesDeeply = false
    let expected: [PrefsValue]

    /// The values of `http` under the lock, the user's first.
    var values: [PrefsValue] {
        let snapshot = PrefsSnapshot(
            parts: [
                PrefsSnapshot.Part(
                    source: PrefsSource(.value(["http": user]), isText: userIsText), layer: "user", height: 1),
                PrefsSnapshot.Part(source: PrefsSource(.value(["http": system])), layer: "system"),
            ],
            rules: PrefsSnapshot.Rules(
                locks: LockTable([PrefsLock(PrefsPath(lock), origin: PrefsOrigin(layer: "system"))])))
        let typing = KeyTyping(
            storedDefault: { defaultValue },
            parse: { $0 == "nine" ? ["port": 9, "host": "t"] : nil },
            mergesDeeply: mergesDeeply)
        return snapshot.candidates(for: "http", typed: typing).map(\.value)
    }
}

@Suite struct LockFilterTests {
    static let rows = [
        LockFilterRow(
            testDescription: "the locked entry is that of the locking layer",
            user: ["port": 9, "host": "u"],
            expected: [["port": 1, "host": "u"], ["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "the locked entry is inserted if the user has none",
            user: ["host": "u"],
            expected: [["port": 1, "host": "u"], ["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "a value that would hide the locked entry is dropped",
            user: "off", expected: [["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "an entry that no layer may set is removed",
            user: ["port": 9, "host": "u"], system: ["host": "s"],
            expected: [["host": "u"], ["host": "s"]]),
        LockFilterRow(
            testDescription: "a value that hides no entry stays",
            user: "off", system: ["host": "s"], expected: ["off", ["host": "s"]]),
        LockFilterRow(
            testDescription: "the locked entry of the default is used last",
            user: ["port": 9, "host": "u"], system: ["host": "s"], defaultValue: ["port": 80],
            expected: [["port": 80, "host": "u"], ["host": "s"]]),
        LockFilterRow(
            testDescription: "a lock on the key removes the layers above",
            lock: "http", user: ["port": 9], expected: [["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "a lock elsewhere changes nothing",
            lock: "log", user: ["port": 9], expected: [["port": 9], ["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "a deep merge supplies the locked entry itself",
            user: ["port": 9, "host": "u"], mergesDeeply: true,
            expected: [["host": "u"], ["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "a deep merge leaves the rejection of other values to the type",
            user: "off", mergesDeeply: true, expected: ["off", ["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "a text is parsed before its entry is replaced",
            user: "nine", userIsText: true,
            expected: [["port": 1, "host": "t"], ["port": 1, "host": "s"]]),
        LockFilterRow(
            testDescription: "a text that does not parse is left to the type",
            user: "ten", userIsText: true, expected: ["ten", ["port": 1, "host": "s"]]),
    ]

    @Test(arguments: rows) func `a lock below a key`(_ row: LockFilterRow) {
        #expect(row.values == row.expected)
    }
}
