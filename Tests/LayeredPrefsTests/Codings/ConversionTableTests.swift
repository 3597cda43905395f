import Foundation
import Testing

@testable import LayeredPrefs

/// The table of the page "Stored forms", made by converting: each row lists the stored values and texts that
/// its type accepts and rejects.
///
/// After an intended change, run the test with `UPDATE_GUIDES=1` to write the table into the page.
@Suite struct ConversionTableTests {
    @Test func `the page lists what each type accepts`() throws {
        let guide = URL(fileURLWithPath: #filePath)
            .appendingPathComponent(
                "../../../../Sources/LayeredPrefs/LayeredPrefs.docc/StoredForms.md"
            )
            .standardizedFileURL
        let text = try String(contentsOf: guide, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasPrefix("| type | stored as |") })
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        let table = Self.head + Self.rows.map(\.line)
        for row in Self.rows { #expect(row.isRestored, "\(row.line)") }
        if ProcessInfo.processInfo.environment["UPDATE_GUIDES"] != nil {
            let new = lines[..<start].map(String.init) + table + lines[end...].map(String.init)
            try new.joined(separator: "\n").write(to: guide, atomically: true, encoding: .utf8)
        } else {
            #expect(lines[start..<end].map(String.init) == table)
        }
    }

    private static let head = [
        "| type | stored as | accepted from a file | rejected from a file | accepted as text | rejected as text |",
        "|---|---|---|---|---|---|",
    ]

    private static let rows = [
        Row("`String`", "info", files: ["info", 1, true], texts: ["info", "1"]),
        Row("`Bool`", true, files: [true, 1, "true"], texts: ["true", "Yes", "on", "0", "2"]),
        Row("`Int`", 8080, files: [8080, 8080.0, "8080", true], texts: ["8080", "-1", "1.0", "8k"]),
        Row(
            "`Int8` … `Int64`, `UInt` … `UInt64`; here `UInt8`", UInt8(200), files: [255, 256, -1],
            texts: ["255", "256"]),
        Row(
            "`Double`, `Float`", 1.5, files: [1.5, 3, "1.5", .integer(Int128(Int64.max))],
            texts: ["1.5", "3", "1e3", "inf", "1,5"]),
        Row(
            "`Duration`", Duration.seconds(90), files: ["90s", "PT1M30S", 90, "90", "-1s"],
            texts: ["250ms", "1h30m", "2d", "90"]),
        Row(
            "`PrefsByteCount`", PrefsByteCount.kibibytes(64), files: ["64 KiB", "1.5 GiB", 65536, "64K", -1],
            texts: ["10 MB", "65536", "64K"]),
        Row(
            "`Date`", Date(timeIntervalSince1970: 1_767_225_600),
            files: [.date(Date(timeIntervalSince1970: 0)), "2026-01-01T00:00:00Z"],
            texts: ["2026-01-01T00:00:00Z", "2026-01-01", "yesterday"]),
        Row("`Data`", Data([1, 2, 3]), files: [.data(Data([1])), "AQID"], texts: ["AQID", "?"]),
        Row(
            "`URL`", URL(string: "https://example.org/")!,
            files: ["https://example.org/", "not a URL"], texts: ["https://example.org/", "not a URL"]),
        Row(
            "`UUID`", UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
            files: ["00000000-0000-0000-0000-000000000001", "1"],
            texts: ["00000000-0000-0000-0000-000000000001", "1"]),
        Row(
            "an enum with raw values, `case debug, info`", Level.info, files: ["debug", "Debug", 0],
            texts: ["debug", "loud"]),
        Row(
            "`[Int]`, `Set<Int>`", [1, 2], files: [[1, 2], [], [1, "2"], 1],
            texts: ["1,2", "[1, 2]", "", "1,x"]),
        Row(
            "`[String: Int]`", ["a": 1], files: [["a": 1], ["a": "1"], [1]], texts: [#"{"a": 1}"#, "a=1"]),
        Row(
            "`Range<Int>`, `ClosedRange<Int>`", 1...5, files: [[1, 5], [5, 1], [1]], texts: ["1,5", "1...5"]),
        Row(
            "a `Codable` struct with `host`, `port`", Listener(), files: [["port": 1], ["port": "1"], 80],
            texts: [#"{"port": 1}"#, "80"]),
        Row("`PrefsValue`", PrefsValue.integer(1), files: [1, "x", [true]], texts: ["1"]),
    ]

    private enum Level: String, CaseIterable { case debug, info }

    private struct Listener: Codable, Equatable, Sendable { var host = "::", port = 80 }
}

/// A type, and the results of reading some stored values and texts by a key of that type.
private struct Row {
    let line: String
    /// True if a key reads a value that it has stored as the same value.
    let isRestored: Bool

    private init<Value: Equatable & Sendable>(
        _ type: String, _ key: PersistentKey<Value>, _ value: Value, _ files: [PrefsValue], _ texts: [String]
    ) {
        let memory = DictionaryPrefsStorage()
        let stored = (try? memory.set(key, to: value)).flatMap { _ in memory.value(forKey: "k") }
        isRestored = memory.get(key) == value
        let file = files.map { ($0.description, accepts(DictionaryPrefsStorage(values: ["k": $0]), key)) }
        let text = texts.map {
            (
                $0.isEmpty ? "the empty text" : $0,
                accepts(EnvironmentPrefsStorage(prefix: "", environment: ["K": $0]), key)
            )
        }
        let cells = [
            type, stored.map { "`\($0)`" } ?? "nothing", Self.list(file, true), Self.list(file, false),
            Self.list(text, true), Self.list(text, false),
        ]
        line = "| \(cells.joined(separator: " | ")) |"
    }

    private static func list(_ items: [(text: String, isAccepted: Bool)], _ accepted: Bool) -> String {
        items.filter { $0.isAccepted == accepted }
            .map { $0.text.hasPrefix("the ") ? $0.text : "`\($0.text)`" }.joined(separator: ", ")
    }
}

/// Returns true if the storage's value for the key is not rejected.
private func accepts<Value: Sendable>(_ storage: some PrefsStorage, _ key: PersistentKey<Value>) -> Bool {
    storage.snapshot.resolution(for: key).rejected.isEmpty
}

extension Row {
    init<Value: PrefsStorable & Equatable & Sendable>(
        _ type: String, _ value: Value, files: [PrefsValue], texts: [String]
    ) {
        self.init(type, PersistentKey("k", defaultValue: value), value, files, texts)
    }

    init<Value: RawRepresentable & Equatable & Sendable>(
        _ type: String, _ value: Value, files: [PrefsValue], texts: [String]
    ) where Value.RawValue: PrefsStorageValue {
        self.init(type, PersistentKey("k", defaultValue: value), value, files, texts)
    }

    @_disfavoredOverload
    init<Value: Codable & Equatable & Sendable>(
        _ type: String, _ value: Value, files: [PrefsValue], texts: [String]
    ) {
        self.init(type, PersistentKey("k", defaultValue: value), value, files, texts)
    }
}
