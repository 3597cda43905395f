import PrefsKitCompatibility
import Testing

private enum Citrus: String, Sendable { case apple, banana }

private struct Gadget: Codable, Equatable {
    var name: String
    var weight: Double
}

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

/// The codings that PrefsKit spells as members of the type that they store.
@Suite struct PrefsCodingTests {
    @Test(arguments: [
        Row(Citrus.rawRepresentablePrefsCoding, .apple, "apple"),
        Row([Citrus].rawRepresentableArrayPrefsCoding, [.apple, .banana], ["apple", "banana"]),
        Row([String: Citrus].rawRepresentableDictionaryPrefsCoding, ["a": .apple], ["a": "apple"]),
        Row(Gadget.jsonStringPrefsCoding, Gadget(name: "a/b", weight: 1.5), #"{"name":"a/b","weight":1.5}"#),
        Row(
            Gadget.jsonDataPrefsCoding, Gadget(name: "x", weight: 1),
            .data(Data(#"{"name":"x","weight":1}"#.utf8))),
        Row(
            [Gadget].jsonStringArrayPrefsCoding, [Gadget(name: "x", weight: 1)], [#"{"name":"x","weight":1}"#]
        ),
        Row([Gadget].jsonStringPrefsCoding, [Gadget(name: "x", weight: 1)], #"[{"name":"x","weight":1}]"#),
        Row([Int].jsonDataArrayPrefsCoding, [1], [.data(Data("1".utf8))]),
        Row([String: Int].jsonDataDictionaryPrefsCoding, ["a": 1], ["a": .data(Data("1".utf8))]),
        Row([String: Int].jsonStringDictionaryPrefsCoding, ["a": 1], ["a": "1"]),
    ])
    fileprivate func `a type has codings as members`(row: Row) throws { try row.check() }

    @Test(arguments: [
        Row(
            Gadget.jsonDataPrefsCoding.base64DataString(), Gadget(name: "", weight: 0),
            "eyJuYW1lIjoiIiwid2VpZ2h0IjowfQ=="),
        Row([Citrus].rawRepresentableArrayPrefsCoding.jsonStringPrefsCoding, [.apple], #"["apple"]"#),
        Row(.intAsString.jsonDataPrefsCoding.base64DataString(), 5, "IjUi"),
        Row(.boolAsInt(), true, 1),
    ])
    fileprivate func `codings can be chained`(row: Row) throws { try row.check() }

    @Test func `a custom encoder can be used`() throws {
        let coding = CodablePrefsCoding(
            value: Gadget.self, storageValue: Data.self,
            encoder: PropertyListEncoder(), decoder: PropertyListDecoder())
        let device = Gadget(name: "x", weight: 1)
        #expect(try coding.encode(device).flatMap(coding.decode) == device)
    }

    @Test func `a coding may refine the protocol of its kind`() throws {
        struct Pretty: JSONDataCodablePrefsCodable {
            typealias Value = Gadget
        }
        let gadget = Gadget(name: "x", weight: 1)
        #expect(try Pretty().encode(gadget) == .data(Data(#"{"name":"x","weight":1}"#.utf8)))
        #expect(Pretty().storedForm(ofText: #"{"name":"x","weight":1}"#).flatMap(Pretty().decode) == gadget)
    }
}
