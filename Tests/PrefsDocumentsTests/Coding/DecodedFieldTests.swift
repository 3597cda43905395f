import FoundationEssentials
import Testing

@testable import PrefsDocuments

private enum Level: String, Codable, CaseIterable { case low, high }

private enum Target: Codable {
    case local
    case relay(host: String)
}

private struct TLS: Codable {
    var minimum = "1.2"
    var certificate: String?
}

private struct Options: Codable {
    var port: UInt16 = 25
    var tls = TLS()
    var level = Level.low
    var target = Target.local
    var labels = ["a": 1]
    var routes = [TLS()]
    var backup: TLS?
    var weight: Double?
    var count: Int8?
}

@Suite struct DecodedFieldTests {
    @Test func `the fields of a struct are those that it decodes`() throws {
        let stored = try #require(try PrefsValueEncoder().encode(Options()))
        let fields = PrefsValueDecoder().shape(of: Options.self, in: stored)
        #expect(
            fields.map { $0.path.joined(separator: ".") } == [
                "port", "tls.minimum", "tls.certificate", "level", "target", "labels", "routes", "backup",
                "weight", "count",
            ])
        #expect(
            fields.map { $0.type.map { "\($0)" } } == [
                "UInt16", "String", "String", "Level", "Target", "Dictionary<String, Int>", "Array<TLS>",
                "TLS", "Double", "Int8",
            ])
        #expect(fields[3].allowedValues == ["low", "high"])
        #expect(fields[0].allowedValues == nil)
    }

    @Test func `a type that is no struct has no fields`() {
        #expect(PrefsValueDecoder().shape(of: [Int].self, in: [1]).isEmpty)
        #expect(PrefsValueDecoder().shape(of: [String: Int].self, in: ["a": 1]).isEmpty)
        #expect(PrefsValueDecoder().shape(of: Int.self, in: 1).isEmpty)
    }
}
