import PersistentKeyValueKitCompatibility
import Testing

private enum Scheme: String, KeyValuePersistible {
    case dark, light

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Scheme> {
        RawRepresentablePersistentKeyValueRepresentation()
    }
}

private struct Contact: Codable, Sendable, Equatable, KeyValuePersistible {
    let nickname: String

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Contact> {
        CodablePersistentKeyValueRepresentation()
    }
}

private struct Angle: Equatable, Sendable, KeyValuePersistible {
    var degrees: Double

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Angle> {
        ProxyPersistentKeyValueRepresentation(to: \.degrees, from: Angle.init(degrees:))
    }
}

private struct Version: Equatable, Sendable, LosslessStringConvertible, KeyValuePersistible {
    var major: Int
    var description: String { "v\(major)" }

    init(major: Int) { self.major = major }
    init?(_ description: String) {
        guard description.first == "v", let major = Int(description.dropFirst()) else { return nil }
        self.major = major
    }

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Version> {
        LosslessStringConvertiblePersistentKeyValueRepresentation()
    }
}

@Suite struct RepresentationTests {
    @Test func `every representation encodes and decodes`() throws {
        try expect(Scheme.dark, storedAs: "dark")
        try expect(Contact(nickname: "ada"), storedAs: .data(Data(#"{"nickname":"ada"}"#.utf8)))
        try expect(Angle(degrees: 90), storedAs: 90.0)
        try expect(Version(major: 2), storedAs: "v2")
        try expect(URL(string: "https://example.org")!, storedAs: "https://example.org")
        try expect([Scheme.dark, .light], storedAs: ["dark", "light"])
        try expect(["a": [Angle(degrees: 1)]], storedAs: ["a": [1.0]])
        try expect(Optional(Scheme.dark), storedAs: "dark")
    }

    @Test func `absent elements are omitted`() throws {
        let representation = [Int?].persistentKeyValueRepresentation
        #expect(try representation.encode([1, nil, 2]) == [1, 2])
        #expect(try [String: Int?].persistentKeyValueRepresentation.encode(["a": nil, "b": 1]) == ["b": 1])
        #expect(try Int?.persistentKeyValueRepresentation.encode(nil) == nil)
    }

    @Test func `a collection with an invalid element is rejected`() {
        #expect([Scheme].persistentKeyValueRepresentation.decode(["dark", "blue"]) == nil)
        // An entry of a dictionary is omitted instead, as in PersistentKeyValueKit.
        #expect(
            [String: Scheme].persistentKeyValueRepresentation.decode(["a": "blue", "b": "dark"])
                == ["b": .dark])
        #expect(Scheme?.persistentKeyValueRepresentation.decode("blue") == nil)
    }

    @Test func `a proxy may fail in either direction`() throws {
        let representation = ProxyPersistentKeyValueRepresentation<Date, String>(
            to: { date in date.ISO8601Format() },
            from: { string in try? Date.ISO8601FormatStyle().parse(string) })
        #expect(try representation.encode(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00Z")
        #expect(representation.decode("no date") == nil)
        let picky = ProxyPersistentKeyValueRepresentation<Int, String>(
            to: { $0 > 0 ? "\($0)" : nil }, from: { $0.count })
        #expect(throws: PrefsError.self) { try picky.encode(0) }
    }

    @Test func `a proxy may use another representation`() throws {
        let whole = ProxyPersistentKeyValueRepresentation<UInt8, Int>(
            to: { Int($0) }, from: { UInt8(exactly: $0) })
        let representation = ProxyPersistentKeyValueRepresentation<Angle, Int>(
            other: whole, to: { UInt8(exactly: $0.degrees) }, from: { Angle(degrees: Double($0)) })
        #expect(try representation.encode(Angle(degrees: 90)) == 90)
        #expect(representation.decode(90) == Angle(degrees: 90))
        #expect(representation.decode(300) == nil)
    }

    private func expect<Value: KeyValuePersistible & Equatable>(_ value: Value, storedAs stored: PrefsValue)
        throws
    {
        let representation = Value.persistentKeyValueRepresentation
        #expect(try representation.encode(value) == stored)
        #expect(representation.decode(stored) == value)
    }
}
