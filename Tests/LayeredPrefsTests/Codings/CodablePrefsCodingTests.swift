import FoundationEssentials
import Testing

@testable import LayeredPrefs

private enum Level: String, Codable, CaseIterable, Sendable { case debug, info, warning }

private struct TLS: Codable, Equatable, Sendable {
    var minimum = "1.2"
    var certificate: String?
}

private struct Route: Codable, Equatable, Sendable {
    var host = "localhost"
    var timeout = Duration.seconds(30)
    var level = Level.info
    var tls: TLS?
}

private enum Target: Codable, Equatable, Sendable {
    case drop
    case relay(to: String, port: UInt16)
}

private struct Unwritable: Codable, Sendable { var wait = Duration.seconds(-1) }

@PrefsSchema private final class RelayPrefs {
    @Storage var storage: DictionaryPrefsStorage

    @Pref var main: Route = Route()
    @Pref var routes: [Route] = []
    @Pref var byName: [String: Route] = [:]
    @Pref var target: Target = .drop
    @Pref var backup: Route?
    @Pref var port: UInt16 = 25
    @Pref var home: URL?
    @Pref var inferred = TLS()
    @Pref(coding: JSONStringCodablePrefsCoding<TLS>()) var json: TLS = TLS()

    init(_ content: [String: PrefsValue] = [:]) { storage = DictionaryPrefsStorage(values: content) }
}

@Suite struct CodablePrefsCodingTests {
    private let routes = PersistentKey("routes", defaultValue: [Route]())
    private let stored: PrefsValue = [
        "host": "a", "timeout": "5s", "level": "debug", "tls": ["minimum": "1.3"],
    ]
    private let route = Route(
        host: "a", timeout: .seconds(5), level: .debug, tls: TLS(minimum: "1.3", certificate: nil))

    private func rejection<Value>(_ key: PersistentKey<Value>, _ value: PrefsValue) -> String? {
        key.resolve(candidates: [PrefsCandidate(value)]).rejections.first?.description
    }

    @Test func `a struct is stored as a dictionary`() throws {
        let storage = DictionaryPrefsStorage()
        try storage.set(routes, to: [route])
        #expect(storage.snapshot.dictionary == ["routes": [stored]])
        #expect(storage.get(routes) == [route])
    }

    @Test func `an optional struct is absent if it is nil`() throws {
        let storage = DictionaryPrefsStorage(values: ["backup": stored])
        let key = PersistentKey<Route?>("backup")
        #expect(storage.get(key) == route)
        try storage.set(key, to: nil)
        #expect(storage.snapshot.dictionary == [:])
        #expect(storage.get(key) == nil)
    }

    @Test func `the wrong part of a value is named`() {
        #expect(
            rejection(routes, [stored, ["host": "a", "timeout": "soon", "level": "info"]]) == """
                routes[1].timeout: expected a duration such as "30s" or "1h30m", found the string "soon"
                """)
        #expect(
            rejection(routes, [["host": "a", "timeout": "1s", "level": "inof"]]) == """
                routes[0].level: expected one of "debug", "info", "warning", found the string "inof"; \
                did you mean “info”?
                """)
        #expect(
            rejection(routes, [["host": "a", "timeout": "1s"]])
                == "routes[0].level: expected a value, found nothing")
        #expect(
            rejection(PersistentKey("main", defaultValue: Route()), "x")
                == #"main: expected a dictionary, found the string "x""#)
    }

    @Test func `text is JSON or the value itself`() {
        let text = { (text: PrefsValue) in [PrefsCandidate(text, isText: true)] }
        let json: PrefsValue =
            #"[{"host": "a", "timeout": "5s", "level": "debug", "tls": {"minimum": "1.3"}}]"#
        #expect(routes.resolve(candidates: text(json)).value == [route])
        let level = PersistentKey("level", defaultValue: Level.info, coding: CodablePrefsCoding())
        #expect(level.resolve(candidates: text("debug")).value == .debug)
        let port = PersistentKey("port", defaultValue: UInt128(1))
        #expect(port.resolve(candidates: text("25")).value == 25)
        let error = routes.resolve(candidates: text(#"[{"host": 1}]"#)).rejections.first
        #expect(error?.description == "routes[0].host: expected a string, found the integer 1")
    }

    @Test func `a value without a stored form is not written`() {
        let storage = DictionaryPrefsStorage()
        let error = #expect(throws: PrefsError.self) {
            try storage.set(PersistentKey("x", defaultValue: Unwritable()), to: Unwritable())
        }
        #expect(error?.code == .notEncodable)
        #expect(
            error?.reason == "Unwritable.wait has no stored form: a duration is not negative")
        #expect(storage.snapshot.dictionary == [:])
    }

    @Test func `integers of any width are stored as integers`() throws {
        let storage = DictionaryPrefsStorage(values: ["port": 70000, "small": -5])
        let port = PersistentKey("port", defaultValue: UInt16(25), in: 1...1024)
        #expect(storage.get(port) == 25)
        #expect(storage.get(PersistentKey("small", defaultValue: Int8(0))) == -5)
        try storage.set(port, to: 587)
        #expect(storage.snapshot["port"] == 587)
    }

    @Test func `a schema stores Codable types natively`() {
        let prefs = RelayPrefs([
            "main": stored, "routes": [stored], "byName": ["a": stored], "port": 587,
            "target": ["relay": ["to": "b", "port": 26]], "home": "https://example.org/",
            "inferred": ["minimum": "1.0"], "json": #"{"minimum":"1.1"}"#,
        ])
        #expect(prefs.main == route)
        #expect(prefs.routes == [route])
        #expect(prefs.byName == ["a": route])
        #expect(prefs.target == .relay(to: "b", port: 26))
        #expect(prefs.backup == nil)
        #expect(prefs.port == 587)
        #expect(prefs.home?.absoluteString == "https://example.org/")
        #expect(prefs.inferred.minimum == "1.0")
        #expect(prefs.json.minimum == "1.1")
        prefs.backup = route
        prefs.target = .drop
        #expect(prefs.storage.snapshot["backup"] == stored)
        #expect(prefs.storage.snapshot["target"] == ["drop": [:]])
    }

    @Test func `a value nested too deeply is rejected`() {
        struct Tree: Codable, Sendable { var children: [Tree] = [] }
        var deep: PrefsValue = ["children": []]
        for _ in 0..<1000 { deep = ["children": [deep]] }
        #expect(
            rejection(PersistentKey("tree", defaultValue: Tree()), deep)?.contains("levels of nesting")
                == true)
    }
}
