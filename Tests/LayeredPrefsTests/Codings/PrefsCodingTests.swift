import Foundation
import TestSupport
import Testing

@testable import LayeredPrefs

private enum Citrus: String, Sendable { case apple, banana }

private struct Gadget: Codable, Equatable {
    var name: String
    var weight: Double
}

private let citruses = ArrayPrefsCoding(element: RawRepresentablePrefsCoding<Citrus>())
private let citrusesByName = DictionaryPrefsCoding(element: RawRepresentablePrefsCoding<Citrus>())

/// A coding, a value to encode and decode, and the expected stored form.
private struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Coding: PrefsCodable>(_ coding: Coding, _ value: Coding.Value, _ stored: PrefsValue)
    where Coding.Value: Equatable & Sendable {
        testDescription = "\(Coding.self) \(value)"
        check = { () throws in
            #expect(try coding.encode(value) == stored)
            #expect(coding.decode(stored) == value)
        }
    }
}

@Suite struct PrefsCodingTests {
    @Test(arguments: [
        Row(IntegerPrefsCoding<UInt>(), 7, 7), Row(IntegerPrefsCoding<Int8>(), -7, -7),
        Row(IntegerPrefsCoding<UInt8>(), 255, 255),
        Row(IntegerPrefsCoding<Int16>(), .min, -32768), Row(IntegerPrefsCoding<UInt16>(), 7, 7),
        Row(IntegerPrefsCoding<Int32>(), 7, 7),
        Row(IntegerPrefsCoding<UInt32>(), 7, 7),
        Row(IntegerPrefsCoding<Int64>(), .max, .integer(Int128(Int64.max))),
        Row(IntegerPrefsCoding<UInt64>(), 7, 7),
        Row(UInt64.defaultPrefsCoding, .max, .integer(Int128(UInt64.max))),
        Row(UInt.defaultPrefsCoding, .max, .integer(Int128(UInt.max))),
    ])
    fileprivate func `integers are stored as integers`(row: Row) throws { try row.check() }

    /// The empty name stands for values in memory.
    private static let files = PrefsFileFormat.texts.map { "f.\($0.fileExtension)" } + [""]

    /// Every format has these integers except TOML, whose integers have a sign.
    @Test(arguments: files)
    func `large unsigned integers are stored and read, or rejected with the key`(file: String) throws {
        let folder = try TemporaryFolder()
        let layer: any PrefsStorage =
            file.isEmpty ? DictionaryPrefsStorage() : FilePrefsStorage(path: folder[file])
        let storage = PrefsStack { PrefsLayer(.user, layer) }
        let large = PersistentKey<UInt64>("sizes.large", defaultValue: 1)
        let list = PersistentKey<[UInt]>("list", defaultValue: [])
        guard file != "f.toml" else {
            let error = #expect(throws: PrefsError.self) { try storage.set(large, to: .max) }
            #expect(error?.code == .notEncodable && error?.key == "sizes.large")
            #expect(error?.reason == "18446744073709551615 does not fit TOML's signed 64-bit integers")
            return
        }
        for value in [UInt64(Int64.max) + 1, .max] {
            #expect(try storage.set(large, to: value, in: .user) == .effective)
            #expect(try storage.set(list, to: [1, UInt(value)], in: .user) == .effective)
            storage.reload()
            #expect(storage.get(large) == value && storage.get(list) == [1, UInt(value)])
        }
        let environment = EnvironmentPrefsStorage(
            prefix: "MYD_", environment: ["MYD_SIZES_LARGE": "\(UInt64.max)"])
        #expect(environment.get(large) == .max)
    }

    @Test(arguments: [
        Row(.iso8601DateString, Date(timeIntervalSince1970: 0), "1970-01-01T00:00:00Z"),
        Row(.urlString, URL(string: "https://example.org/a?b#c")!, "https://example.org/a?b#c"),
        Row(.base64DataString(), Data([0, 1, 255]), "AAH/"),
        Row(RawRepresentablePrefsCoding<Citrus>(), .apple, "apple"),
        Row(citruses, [.apple, .banana], ["apple", "banana"]),
        Row(citrusesByName, ["a": .apple], ["a": "apple"]),
        Row(
            JSONStringCodablePrefsCoding<Gadget>(), Gadget(name: "a/b", weight: 1.5),
            #"{"name":"a/b","weight":1.5}"#),
        Row(
            JSONDataCodablePrefsCoding<Gadget>(), Gadget(name: "x", weight: 1),
            .data(Data(#"{"name":"x","weight":1}"#.utf8))),
        Row(
            ArrayPrefsCoding(element: JSONStringCodablePrefsCoding<Gadget>()), [Gadget(name: "x", weight: 1)],
            [#"{"name":"x","weight":1}"#]
        ),
        Row(
            JSONStringCodablePrefsCoding<[Gadget]>(), [Gadget(name: "x", weight: 1)],
            #"[{"name":"x","weight":1}]"#),
        Row(ArrayPrefsCoding(element: JSONDataCodablePrefsCoding<Int>()), [1], [.data(Data("1".utf8))]),
        Row(
            DictionaryPrefsCoding(element: JSONDataCodablePrefsCoding<Int>()), ["a": 1],
            ["a": .data(Data("1".utf8))]),
        Row(DictionaryPrefsCoding(element: JSONStringCodablePrefsCoding<Int>()), ["a": 1], ["a": "1"]),
    ])
    fileprivate func `other types are stored as their coding specifies`(row: Row) throws { try row.check() }

    @Test(arguments: [
        Row(
            JSONDataCodablePrefsCoding<Gadget>().base64DataString(), Gadget(name: "", weight: 0),
            "eyJuYW1lIjoiIiwid2VpZ2h0IjowfQ=="),
        Row(citruses.chained(with: JSONStringCodablePrefsCoding()), [.apple], #"["apple"]"#),
        Row(
            AtomicPrefsCoding<Date>().iso8601DateString, Date(timeIntervalSince1970: 0),
            "1970-01-01T00:00:00Z"),
        Row(
            IntegerPrefsCoding<UInt8>().chained(with: JSONDataCodablePrefsCoding()).base64DataString(), 5,
            "NQ=="),
    ])
    fileprivate func `codings can be chained`(row: Row) throws { try row.check() }

    @Test func `values that do not fit are rejected`() {
        #expect(throws: PrefsError.self) { try IntegerPrefsCoding<UInt>().encode(UInt.max) }
        #expect(IntegerPrefsCoding<UInt8>().decode(256) == nil)
        #expect(RawRepresentablePrefsCoding<Citrus>().decode("cherry") == nil)
        #expect(citruses.decode(["apple", "cherry"]) == nil)
        #expect(citrusesByName.decode(["a": "cherry"]) == nil)
        #expect(JSONStringCodablePrefsCoding<Gadget>().decode("{}") == nil)
        #expect(throws: PrefsError.self) {
            try JSONDataCodablePrefsCoding<Gadget>().encode(Gadget(name: "", weight: .infinity))
        }
        #expect(throws: PrefsError.self) {
            try ISO8601DateStringPrefsCoding().encode(Date(timeIntervalSince1970: 1e300))
        }
    }

    @Test func `fractions of seconds are read but not written`() {
        let coding = ISO8601DateStringPrefsCoding()
        #expect(coding.decode(prefsValue: "1970-01-01T00:00:00.5Z") == Date(timeIntervalSince1970: 0.5))
        #expect(coding.encode(prefsValue: Date(timeIntervalSince1970: 0.5)) == "1970-01-01T00:00:00Z")
    }

    @Test func `equal values are always stored identically`() throws {
        let value = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key\($0)", $0) })
        let copy = Dictionary(uniqueKeysWithValues: (0..<50).reversed().map { ("key\($0)", $0) })
        let coding = JSONDataCodablePrefsCoding<[String: Int]>()
        #expect(try coding.encode(value) == coding.encode(copy))
    }

    @Test func `a chain parses text with the type of the value`() {
        func read<Coding: PrefsCodable>(_ coding: Coding, _ text: String) -> Coding.Value? {
            coding.storedForm(ofText: text).flatMap(coding.decode)
        }
        let device = Gadget(name: "x", weight: 1)
        let json = #"{"name":"x","weight":1}"#
        #expect(read(JSONDataCodablePrefsCoding<Gadget>(), json) == device)
        #expect(read(JSONStringCodablePrefsCoding<Gadget>(), json) == device)
        #expect(read(JSONDataCodablePrefsCoding<Gadget>().base64DataString(), json) == device)
        #expect(
            read(
                JSONDataCodablePrefsCoding<Gadget>().base64DataString(), Data(json.utf8).base64EncodedString()
            )
                == device)
        #expect(read(citruses, "apple, banana") == [.apple, .banana])
        #expect(read(IntegerPrefsCoding<UInt8>(), "255") == 255)
    }

    @Test func `a key can convert its values with two closures`() throws {
        let storage = DictionaryPrefsStorage()
        let key = PersistentKey(
            "count", defaultValue: 1, encode: { $0 > 0 ? "\($0)" : nil }, decode: { Int($0) }, in: 1...9)
        try storage.set(key, to: 5)
        #expect(storage.snapshot["count"] == "5" && storage.get(key) == 5)
        #expect(throws: PrefsError.self) { try storage.set(key, to: -5) }
        for wrong in ["x", "10"] { #expect(key.rejection(ofWhole: PrefsCandidate(.string(wrong))) != nil) }
        let optional = PersistentKey<Int?>("other", encode: { "\($0)" }, decode: { Int($0) }, in: 1...9)
        #expect(storage.get(optional) == nil)
        try storage.set(optional, to: 3)
        #expect(storage.snapshot["other"] == "3" && storage.get(optional) == 3)
    }

    @Test func `members name the codings of JSON`() throws {
        let storage = DictionaryPrefsStorage()
        let gadget = Gadget(name: "x", weight: 1)
        let text = PersistentKey("text", defaultValue: Gadget(name: "", weight: 0), coding: .jsonString())
        let data = PersistentKey<Gadget?>("data", coding: .jsonData())
        try storage.set(text, to: gadget)
        try storage.set(data, to: gadget)
        let json = #"{"name":"x","weight":1}"#
        #expect(
            storage.snapshot["text"] == .string(json) && storage.snapshot["data"] == .data(Data(json.utf8)))
        #expect(storage.get(text) == gadget && storage.get(data) == gadget)
    }
}

@Suite struct URLStringPrefsCodingTests {
    @Test(arguments: [
        ("https://example.org/a?b#c", "https://example.org/a?b#c"), ("file:///a%20b", "file:///a%20b"),
        ("/relative/path", "/relative/path"), ("https://example.org/ä", "https://example.org/%C3%A4"),
        ("not a valid url", nil), ("https://example.org/a b", nil), ("https://example.org/ä b", nil),
        ("https://example.org/<>", nil), ("", nil),
    ])
    func `text that is no URL is rejected instead of escaped`(text: String, url: String?) {
        #expect(URLStringPrefsCoding().decode(prefsValue: text)?.absoluteString == url)
    }
}
