import Foundation
import Testing

@testable import PrefsDocuments

/// A value with the same stored form as in Foundation's coders.
private struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let check: @Sendable () throws -> Void

    /// - Parameter inJSON: False if JSON cannot represent the value.
    init<Value: Codable & Equatable & Sendable>(_ value: Value, inJSON: Bool = true) {
        testDescription = "\(Value.self)"
        check = { () throws in
            let stored = try #require(try PrefsValueEncoder().encode(Holder(value: value)))
            let content = try #require(stored.dictionary)
            #expect(try PrefsValueDecoder().decode(Holder<Value>.self, from: stored).value == value)
            for format in [PrefsFileFormat.xmlPropertyList, .binaryPropertyList] {
                let bytes = try format.serialize(content)
                let read = PrefsValue.dictionary(try PrefsDocument(parsing: bytes, as: format).content)
                #expect(try PrefsValueDecoder().decode(Holder<Value>.self, from: read).value == value)
                let theirs = try PropertyListDecoder().decode(Holder<Value>.self, from: Data(bytes))
                #expect(theirs.value == value)
            }
            let theirs = [UInt8](try PropertyListEncoder().encode(Holder(value: value)))
            #expect(try PrefsDocument(parsing: theirs).content == content)
            guard inJSON else { return }
            let bytes = try PrefsFileFormat.json.serialize(content)
            let read = PrefsValue.dictionary(try PrefsDocument(parsing: bytes, as: .json).content)
            #expect(try PrefsValueDecoder().decode(Holder<Value>.self, from: read).value == value)
        }
    }
}

private struct Holder<Value: Codable>: Codable { var value: Value }

private enum Level: String, Codable, CaseIterable, CodingKeyRepresentable { case debug, info, warning }
private enum Number: Int, Codable { case one = 1, two }
private enum Plain: Codable, Equatable, Sendable { case none, some }

private indirect enum Rule: Codable, Equatable, Sendable {
    case accept
    case rewrite(from: String, to: String)
    case limit(Int)
    case all([Rule])
    case not(Rule)
}

private struct TLS: Codable, Equatable, Sendable {
    var minimum = "1.2"
    var certificate: String?
    var isRequired = true
}

private struct Route: Codable, Equatable, Sendable {
    var host: String
    var port: UInt16
    var weight: Double?
    var tls: TLS?
}

private struct Renamed: Codable, Equatable, Sendable {
    var readTimeout: Int
    private enum CodingKeys: String, CodingKey { case readTimeout = "read-timeout" }
}

private struct Flat: Codable, Equatable, Sendable {
    var x = 1, y = 2
    init() {}
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        x = try container.decode(Int.self)
        y = try container.decode(Int.self)
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(x)
        try container.encode(y)
    }
}

private struct Nested: Codable, Equatable, Sendable {
    var a = 1, b = ["x", "y"]
    private enum Outer: String, CodingKey { case inner, list }
    private enum Inner: String, CodingKey { case a }
    init() {}
    init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Outer.self)
        a = try outer.nestedContainer(keyedBy: Inner.self, forKey: .inner).decode(Int.self, forKey: .a)
        var list = try outer.nestedUnkeyedContainer(forKey: .list)
        b = []
        while !list.isAtEnd {
            b.append(try list.nestedContainer(keyedBy: Inner.self).decode(String.self, forKey: .a))
        }
    }
    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Outer.self)
        var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        try inner.encode(a, forKey: .a)
        var list = outer.nestedUnkeyedContainer(forKey: .list)
        for element in b {
            var entry = list.nestedContainer(keyedBy: Inner.self)
            try entry.encode(element, forKey: .a)
        }
    }
}

private class Animal: Codable, Equatable, @unchecked Sendable {
    var name = "animal"
    init() {}
    static func == (lhs: Animal, rhs: Animal) -> Bool { lhs.isSame(as: rhs) }
    func isSame(as other: Animal) -> Bool { name == other.name }
}

private final class Dog: Animal, @unchecked Sendable {
    var breed = "terrier"
    private enum CodingKeys: String, CodingKey { case breed }
    override init() { super.init() }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        breed = try container.decode(String.self, forKey: .breed)
        try super.init(from: container.superDecoder())
    }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(breed, forKey: .breed)
        try super.encode(to: container.superEncoder())
    }
    override func isSame(as other: Animal) -> Bool {
        super.isSame(as: other) && breed == (other as? Dog)?.breed
    }
}

private struct Tree: Codable, Equatable, Sendable {
    var name: String
    var children: [Tree] = []
}

private struct Port: Codable, Equatable, RawRepresentable { var rawValue: Int }

private struct ListOfSupers: Codable, Equatable, Sendable {
    var values = [1, 2]
    init() {}
    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        values = [try Int(from: container.superDecoder()), try Int(from: container.superDecoder())]
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for value in values { try value.encode(to: container.superEncoder()) }
    }
}

private struct Everything: Codable, Equatable, Sendable {
    var bool = true, int = -1, int8 = Int8.min, int16 = Int16.max, int32 = Int32.min, int64 = Int64.min
    var uint = UInt.max, uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64.max
    var double = 0.1, float: Float = 2.5, string = "ä\n", routes = [Route(host: "h", port: 25)]
}

@Suite struct CodableShapeTests {
    @Test(arguments: [
        Shape(true), Shape(42), Shape(-1.5), Shape("text"), Shape(UInt64.max), Shape(Int8.min),
        Shape(Float(0.5)),
        Shape([1, 2, 3]), Shape(["a": 1, "b": 2]), Shape([1: "one", 2: "two"]), Shape(Set([7])),
        Shape([Level.debug: 1, .info: 2]), Shape([Number.one: "x"]), Shape(Level.warning), Shape(Number.two),
        Shape(Plain.some),
        Shape([Rule.accept, .rewrite(from: "a", to: "b"), .limit(3), .not(.all([.accept]))]),
        Shape(Route(host: "h", port: 25)),
        Shape(Route(host: "h", port: 25, weight: 1.5, tls: TLS(certificate: "/c"))), Shape(TLS()),
        Shape(Renamed(readTimeout: 3)), Shape(Flat()), Shape(Nested()), Shape(Dog()),
        Shape(Tree(name: "a", children: [Tree(name: "b", children: [Tree(name: "c")])])),
        Shape(Port(rawValue: 25)), Shape(ListOfSupers()), Shape(Everything()), Shape([1, nil, 3]),
        Shape([Optional<Route>.none, Route(host: "h", port: 1)]), Shape(["a": Optional<Int>.none, "b": 1]),
        Shape([[1, 2], []]), Shape(["a": ["b": ["c": [Level.info]]]]),
        Shape(Date(timeIntervalSinceReferenceDate: 86400), inJSON: false),
        Shape(Data([0, 1, 255]), inJSON: false),
        Shape(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!),
        Shape(0..<5), Shape(Optional(3)), Shape(CodableRange(range: 1...3)),
    ])
    fileprivate func `the stored form is that of Foundation`(shape: Shape) throws { try shape.check() }
}

private struct CodableRange: Codable, Equatable, Sendable { var range: ClosedRange<Int> }
