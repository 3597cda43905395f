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

@Suite struct PrefsCodingTests {
    @Test(arguments: [
        Row(.uIntAsInt, 7, 7), Row(.int8AsInt, -7, -7), Row(.uInt8AsInt, 255, 255),
        Row(.int16AsInt, .min, -32768), Row(.uInt16AsInt, 7, 7), Row(.int32AsInt, 7, 7),
        Row(.uInt32AsInt, 7, 7), Row(.int64AsInt, .max, .integer(Int128(Int64.max))), Row(.uInt64AsInt, 7, 7),
    ])
    fileprivate func `integers are stored as integers`(row: Row) throws { try row.check() }

    @Test(arguments: [
        Row(.intAsString, -7, "-7"), Row(.uIntAsString, .max, "18446744073709551615"),
        Row(.int8AsString, -7, "-7"), Row(.uInt8AsString, 7, "7"), Row(.int16AsString, 7, "7"),
        Row(.uInt16AsString, 7, "7"), Row(.int32AsString, 7, "7"), Row(.uInt32AsString, 7, "7"),
        Row(.int64AsString, 7, "7"), Row(.uInt64AsString, .max, "18446744073709551615"),
        Row(.int128AsString, 7, "7"), Row(.uInt128AsString, 7, "7"),
    ])
    fileprivate func `integers are stored as digits`(row: Row) throws { try row.check() }

    @Test(arguments: [
        Row(.boolAsInteger(), true, 1), Row(.boolAsInteger(decodingStrategy: .strict), false, 0),
        Row(.boolAsString(), true, "true"), Row(.boolAsString(.trueFalse(.capitalized)), false, "False"),
        Row(.boolAsString(.trueFalse(.uppercase)), true, "TRUE"),
        Row(.boolAsString(.yesNo(.lowercase)), true, "yes"),
        Row(.boolAsString(.custom(true: "An", false: "Aus")), false, "Aus"),
    ])
    fileprivate func `Boolean values are stored as numbers and words`(row: Row) throws { try row.check() }

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
        Row(.uInt8AsInt.intAsString, 5, "5"),
        Row(.boolAsInteger().intAsString, true, "1"),
        Row(.utf8Data, "ä", .data(Data([0xC3, 0xA4]))),
        Row(
            JSONStringCodablePrefsCoding<Gadget>().utf8Data.base64DataString(), Gadget(name: "", weight: 0),
            "eyJuYW1lIjoiIiwid2VpZ2h0IjowfQ=="),
        Row(AtomicPrefsCoding<Bool>().boolAsInteger(), true, 1),
        Row(AtomicPrefsCoding<Bool>().boolAsString(.yesNo(.uppercase)), true, "YES"),
    ])
    fileprivate func `codings can be chained`(row: Row) throws { try row.check() }

    @Test func `values that do not fit are rejected`() {
        #expect(IntegerStringPrefsCoding<Int8>().decode("128") == nil)
        #expect(BoolIntegerPrefsCoding(decodingStrategy: .strict).decode(2) == nil)
        #expect(BoolIntegerPrefsCoding().decode(2) == true)
        #expect(BoolIntegerPrefsCoding().decode(-1) == false)
    }

    @Test(arguments: ["true", " TRUE ", "Yes", "yes"]) func `words are read in any case`(word: String) {
        #expect(BoolStringPrefsCoding().decode(prefsValue: word) == true)
        #expect(BoolStringPrefsCoding(encodingStrategy: .yesNo()).decode(prefsValue: word) == true)
    }

    @Test func `custom words may be case-sensitive`() {
        let coding = BoolStringPrefsCoding(
            encodingStrategy: .custom(true: "An", false: "Aus", caseInsensitive: false))
        #expect(coding.decode(prefsValue: "An") == true)
        #expect(coding.decode(prefsValue: "an") == nil)
    }

    @Test func `a Boolean value is read from any text that means one`() {
        func read(_ coding: some PrefsCodable<Bool, some Any>, _ text: String) -> Bool? {
            coding.storedForm(ofText: text).flatMap(coding.decode)
        }
        #expect(read(BoolIntegerPrefsCoding(), "yes") == true)
        #expect(read(BoolIntegerPrefsCoding(), "0") == false)
        #expect(read(BoolStringPrefsCoding(), "on") == true)
    }

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
