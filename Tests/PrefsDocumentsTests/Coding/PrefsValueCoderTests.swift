import Foundation
import Testing

@testable import PrefsDocuments

private enum Level: String, Codable, CaseIterable { case debug, info, warning }
private enum Closed: String, Codable { case a }

private struct Route: Codable, Equatable {
    var host = "localhost"
    var timeout = Duration.seconds(30)
    var level: Level?
}

private struct Server: Codable, Equatable {
    var routes = [Route()]
    var byName: [String: Route] = [:]
    var size = PrefsByteCount.kibibytes(64)
    var closed = Closed.a
}

private struct Tree: Codable { var children: [Tree] = [] }
private struct Nothing: Encodable { func encode(to encoder: any Encoder) {} }
private struct Failure: Error, CustomStringConvertible { let description = "not today" }
private struct Picky: Codable {
    init(from decoder: any Decoder) throws { throw Failure() }
    func encode(to encoder: any Encoder) throws { throw Failure() }
}

/// A value, its stored form, and other stored forms that its type accepts.
private struct Natural: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable () throws -> Void

    init<Value: Codable & Equatable & Sendable>(_ value: Value, _ stored: PrefsValue, _ others: PrefsValue...)
    {
        testDescription = "\(Value.self) \(stored)"
        check = { () throws in
            #expect(try PrefsValueEncoder().encode(value) == stored)
            for form in [stored] + others {
                #expect(try PrefsValueDecoder().decode(Value.self, from: form) == value)
            }
        }
    }
}

/// A stored form that a type rejects.
private struct Wrong: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let decode: @Sendable () throws -> Void

    init<Value: Decodable & SendableMetatype>(_ stored: PrefsValue, _ type: Value.Type) {
        testDescription = "\(stored) as \(type)"
        decode = { _ = try PrefsValueDecoder().decode(Value.self, from: stored) }
    }
}

private struct Wide: Codable, Equatable {
    var signed: Int128
    var unsigned: UInt128
    var optional: Int128?
    var pair: Pair?
}

/// Two integers, stored as an array.
private struct Pair: Codable, Equatable {
    var signed: Int128
    var unsigned: UInt128

    init(signed: Int128, unsigned: UInt128) { (self.signed, self.unsigned) = (signed, unsigned) }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        signed = try list.decode(Int128.self)
        unsigned = try list.decode(UInt128.self)
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(signed)
        try list.encode(unsigned)
    }
}

@Suite struct PrefsValueCoderTests {
    @Test(arguments: [
        Natural(Duration.seconds(90), "1m30s", "90s", "PT1M30S"),
        Natural(URL(string: "https://example.org/a?b#c")!, "https://example.org/a?b#c"),
        Natural(
            UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!, "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
        Natural(Decimal(string: "-12.50")!, "-12.5", -12.5, "-12.50"), Natural(Decimal(7), 7, "7", 7.0),
        Natural(Decimal(string: "0.1")!, "0.1", 0.1),
        Natural(PrefsByteCount.kibibytes(64), "64 KiB", 65536, "65536"),
        Natural(PrefsByteCount.bytes(7), 7, "7 B"),
        Natural(Int128(Int64.max) + 1, .integer(Int128(Int64.max) + 1)), Natural(UInt128(7), 7),
        Natural([Duration.zero], ["0s"]), Natural(1.0, 1.0, 1), Natural(Optional("x"), "x"),
    ])
    fileprivate func `types are stored as a person writes them`(row: Natural) throws { try row.check() }

    @Test func `properties may be integers of 128 bits`() throws {
        let stored: PrefsValue = ["signed": -1, "unsigned": 2, "optional": 3, "pair": [4, 5]]
        let wide = try PrefsValueDecoder().decode(Wide.self, from: stored)
        #expect(wide == Wide(signed: -1, unsigned: 2, optional: 3, pair: Pair(signed: 4, unsigned: 5)))
        #expect(try PrefsValueEncoder().encode(wide) == stored)
        let fields = StructFields(of: Wide.self)
        #expect(fields.isComplete)
        #expect(fields.fields?.map(\.name) == ["signed", "unsigned", "optional", "pair"])
    }

    @Test func `nil is absence`() throws {
        #expect(try PrefsValueEncoder().encode(Int?.none) == nil)
        #expect(try PrefsValueEncoder().encode(Route()) == ["host": "localhost", "timeout": "30s"])
    }

    @Test(
        arguments: [
            (
                ["routes": [["host": "a", "timeout": "30s"], ["host": 7, "timeout": "1s"]]], "routes[1].host",
                "a string"
            ),
            (
                ["routes": [["host": "a", "timeout": "soon"]]], "routes[0].timeout",
                #"a duration such as "30s" or "1h30m""#
            ),
            (["routes": [["host": "a"]]], "routes[0].timeout", "a value"),
            (["routes": 1], "routes", "an array"),
            (["routes": [1]], "routes[0]", "a dictionary"), (1, "", "a dictionary"),
            (["routes": [], "byName": ["a.b": 1]], #"byName."a.b""#, "a dictionary"),
            (
                ["routes": [["host": "a", "timeout": "1s", "level": "inof"]]], "routes[0].level",
                #"one of "debug", "info", "warning""#
            ),
            (
                ["routes": [], "byName": [:], "size": "64 K"], "size",
                #"a size such as "64 KiB", or an integer of bytes"#
            ),
            (
                ["routes": [], "byName": [:], "size": 1, "closed": "b"], "closed",
                "a valid value (Cannot initialize Closed from invalid String value b)"
            ),
        ] as [(PrefsValue, String, String)])
    func `an error names the part and what is expected there`(
        stored: PrefsValue, place: String, expected: String
    ) throws {
        guard case .failure(let mismatch) = PrefsValueDecoder().value(of: stored, as: Server.self) else {
            Issue.record("decoded")
            return
        }
        #expect("value" + mismatch.path.suffix == (place.isEmpty ? "value" : "value." + place))
        #expect(mismatch.expected == expected)
    }

    @Test(
        arguments: [
            (30, "30s"), ("30", "30s"), ("soon", nil), (-30, nil), (1.5, nil), ("", nil),
            (.integer(.max), nil),
        ] as [(PrefsValue, String?)])
    func `seconds are suggested for a duration without a unit`(stored: PrefsValue, suggestion: String?) {
        #expect(PrefsMismatch.duration(found: stored).suggestion == suggestion)
    }

    @Test func `the nearest case of an enum is suggested`() {
        let result = PrefsValueDecoder().value(of: ["waring"], as: [Level].self)
        #expect(
            throws: PrefsMismatch(
                at: [.index(0)], expected: #"one of "debug", "info", "warning""#, suggestion: "warning")
        ) {
            try result.get()
        }
    }

    @Test func `a decoding error has a coding path and says what is wrong`() throws {
        let error = #expect(throws: DecodingError.self) {
            try PrefsValueDecoder().decode([Route].self, from: [["host": "h", "timeout": 30]])
        }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["Index 0", "timeout"])
        #expect(
            context.debugDescription
                == #"expected a duration such as "30s" or "1h30m", found an integer; did you mean “30s”?"#)
    }

    @Test(arguments: [
        Wrong("8080", Int.self), Wrong(3.0, Int.self), Wrong(1, Bool.self), Wrong(1, String.self),
        Wrong(256, UInt8.self), Wrong(-1, UInt.self), Wrong("x", Date.self), Wrong("x", Data.self),
        Wrong("", URL.self), Wrong("x", UUID.self), Wrong("1x", Decimal.self), Wrong("--1", Decimal.self),
        Wrong(.real(.nan), Decimal.self), Wrong(1e300, Float.self), Wrong("1", Double.self),
        Wrong([1, "x"], [Int].self), Wrong(-1, PrefsByteCount.self),
        Wrong(.integer(.max), PrefsByteCount.self), Wrong(.integer(.max), Double.self),
    ])
    fileprivate func `nothing is converted`(row: Wrong) {
        #expect(throws: DecodingError.self) { try row.decode() }
    }

    @Test func `nesting is limited in both directions`() throws {
        var tree = Tree()
        var stored: PrefsValue = ["children": []]
        for _ in 0..<1000 {
            tree = Tree(children: [tree])
            stored = ["children": [stored]]
        }
        #expect(throws: EncodingError.self) { try PrefsValueEncoder().encode(tree) }
        #expect(throws: DecodingError.self) { try PrefsValueDecoder().decode(Tree.self, from: stored) }
        var small = Tree()
        for _ in 0..<20 { small = Tree(children: [small]) }
        let encoded = try #require(try PrefsValueEncoder().encode(small))
        #expect(
            try PrefsValueEncoder().encode(PrefsValueDecoder().decode(Tree.self, from: encoded)) == encoded)
    }

    @Test func `a value that encodes nothing or has no stored form is an error`() {
        #expect(throws: EncodingError.self) { try PrefsValueEncoder().encode(Nothing()) }
        #expect(throws: EncodingError.self) { try PrefsValueEncoder().encode([Nothing()]) }
        #expect(throws: EncodingError.self) { try PrefsValueEncoder().encode(["t": Duration.seconds(-1)]) }
        #expect(throws: EncodingError.self) { try PrefsValueEncoder().encode(Decimal.nan) }
        #expect(throws: EncodingError.self) { try PrefsValueEncoder().encode(UInt128.max) }
    }

    @Test func `an error of a type's own is reported at its place`() {
        let result = PrefsValueDecoder().value(of: ["a": [1]], as: [String: [Picky]].self)
        #expect(
            throws: PrefsMismatch(at: [.key("a"), .index(0)], expected: "a valid Picky (not today)")
        ) { try result.get() }
    }

    @Test func `types can look up the user info`() throws {
        struct Reader: Codable {
            init() {}
            init(from decoder: any Decoder) throws { _ = try #require(decoder.userInfo[.name] as? String) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(try #require(encoder.userInfo[.name] as? String))
            }
        }
        var (encoder, decoder) = (PrefsValueEncoder(), PrefsValueDecoder())
        encoder.userInfo[.name] = "Ada"
        decoder.userInfo[.name] = "Ada"
        #expect(try encoder.encode([Reader()]) == ["Ada"])
        _ = try decoder.decode(Reader.self, from: "x")
    }
}

extension CodingUserInfoKey {
    fileprivate static let name = CodingUserInfoKey(rawValue: "name")!
}
