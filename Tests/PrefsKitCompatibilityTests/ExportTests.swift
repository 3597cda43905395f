import Foundation
import PrefsKitCompatibility
import Testing

@Suite struct ExportTests {
    private let storage = DictionaryPrefsStorage(root: [
        "int": Int.max, "real": 1.0, "bool": true, "text": "ä<&>", "data": Data([0, 255]),
        "date": Date(timeIntervalSince1970: 1_000_000), "list": [1, 2], "dict": ["a": ["b": 1.5]],
    ])

    @Test func `property lists round-trip`() throws {
        let text = try storage.exportString(format: .plist())
        #expect(
            try DictionaryPrefsStorage(from: text, format: .plist()).snapshot.dictionary
                == storage.snapshot.dictionary)
        let data = try storage.exportData(format: .plist(format: .binary))
        #expect(data.starts(with: Data("bplist".utf8)))
        #expect(
            try DictionaryPrefsStorage(from: data, format: .plist()).snapshot.dictionary
                == storage.snapshot.dictionary)
        // Text is always XML.
        #expect(try storage.exportString(format: .plist(format: .binary)) == text)
    }

    @Test func `JSON represents dates and data as strings`() throws {
        let text = try storage.exportString(format: .json())
        let read = try DictionaryPrefsStorage(from: text, format: .json()).snapshot
        #expect(read["date"] == "1970-01-12T13:46:40Z")
        #expect(read["data"] == "AP8=")
        #expect(read["int"] == .integer(Int128(Int.max)))
        #expect(throws: PrefsError.self) { try storage.exportString(format: .json(strategy: .passthrough)) }
    }

    @Test func `exporting replaces a file atomically`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("out.plist")
        try Data("old".utf8).write(to: file)
        let before = try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
        try storage.export(format: .plist(), to: file)
        let after = try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
        #expect(before != after)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.plist"])
        let loaded = DictionaryPrefsStorage()
        try loaded.load(from: file, format: .plist(), by: .reinitializing)
        #expect(loaded.snapshot.dictionary == storage.snapshot.dictionary)
    }

    @Test func `a custom format can export and import`() throws {
        struct Lines: PrefsStorageExportFormatStringExportable, PrefsStorageImportFormatStringImportable {
            func exportString(storage: [String: Any]) throws -> String {
                storage.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "\n")
            }
            func load(from string: String) throws -> [String: Any] {
                Dictionary(
                    uniqueKeysWithValues: string.split(separator: "\n").map {
                        let parts = $0.split(separator: "=")
                        return (String(parts[0]), String(parts[1]))
                    })
            }
        }
        let small = DictionaryPrefsStorage(root: ["a": 1, "b": true])
        #expect(try small.exportString(format: Lines()) == "a=1\nb=true")
        #expect(try DictionaryPrefsStorage(from: "a=x", format: Lines()).snapshot["a"] == "x")
    }

    @Test func `the dictionary representation has Swift types`() throws {
        let values = try storage.dictionaryRepresentation()
        #expect(values["int"] as? Int == .max)
        #expect((values["dict"] as? [String: Any])?.count == 1)
    }
}
