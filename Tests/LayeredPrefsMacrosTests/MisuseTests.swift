import Testing

/// The messages that the author of a program reads. The compiler reports each mistake with the macros'
/// message only, without errors that follow from it.
@Suite struct MisuseTests {
    @Test func `the compiler reports each mistake as one error`() throws {
        let mistakes = (Mistake.all + Self.compilers).filter { !$0.source.contains("@Observable") }
        let (verdicts, rest) = try Compiler.verdicts(on: mistakes.map(\.source), shared: Self.shared)
        #expect(rest.errors == [])
        for (mistake, verdict) in zip(mistakes, verdicts) {
            #expect(verdict.errors == mistake.errors ?? [mistake.message], "\(mistake.source)")
            let isSaid = mistake.isSilent || (verdict.errors + verdict.notes).contains(mistake.message)
            #expect(isSaid, "\(mistake.source): \(mistake.message)")
            let fixIts = verdict.notes.filter { $0 != mistake.message }
            #expect(fixIts == mistake.fixIts, "\(mistake.source)")
        }
    }

    @Test func `the errors of another macro follow the own one`() throws {
        let mistake = try #require(Mistake.all.first { $0.source.contains("@Observable") })
        let (verdicts, _) = try Compiler.verdicts(on: [mistake.source], shared: "")
        #expect(verdicts[0].errors.first == mistake.message)
    }

    @Test func `correct declarations compile`() throws {
        let sources = Self.members.map { Mistake.member($0, "").source } + Self.classes
        let (verdicts, rest) = try Compiler.verdicts(on: sources, shared: Self.shared)
        #expect(rest.errors == [])
        for (source, verdict) in zip(sources, verdicts) { #expect(verdict.errors == [], "\(source)") }
    }

    /// Mistakes that the compiler finds in the expanded code. The message is the compiler's.
    private static let compilers: [Mistake] = [
        .member(
            "@Pref var a: Unstored?",
            """
            'key(_:optional:_:)' is unavailable: this type has no stored form: make it 'Codable' \
            and 'Sendable', or use '@Pref(coding:)'
            """),
        .member(
            "@Pref var a = Unstored()",
            """
            'key(_:_:default:_:)' is unavailable: this type has no stored form: make it 'Codable' \
            and 'Sendable', or use '@Pref(coding:)'
            """),
        .member(
            "@Pref var a: Shared?",
            """
            'key(_:optional:_:)' is unavailable: this type has no stored form: make it 'Codable' \
            and 'Sendable', or use '@Pref(coding:)'
            """),
        .member(
            "@Pref var a: Shared = Shared()",
            """
            'key(_:_:default:_:)' is unavailable: this type has no stored form: make it 'Codable' \
            and 'Sendable', or use '@Pref(coding:)'
            """),
        .member(
            "@Pref(coding: .urlString) var a: Int?",
            "static method 'key(_:optional:coding:)' requires the types 'Int' and 'URL' be equivalent"),
        .member(
            "@Pref(validate: { (v: String) in true }) var a: Int = 1",
            """
            cannot convert value of type '@Sendable (String) -> Bool' to expected argument type \
            '@Sendable (Int) -> Bool'
            """),
        .member("@PrefGroup var a: Int", "type 'Int' does not conform to protocol 'PrefsGroup'"),
        .member("@PrefGroup var a: Route", "type 'Route' does not conform to protocol 'PrefsGroup'"),
        .member(
            "@RawRepresentablePref var a: Int?", "type 'Int' does not conform to protocol 'RawRepresentable'"),
        .member(
            "@JSONDataCodablePref var a: Unstored?",
            "type 'Unstored' does not conform to protocol 'Decodable'"),
        .member("let a = Shared()", "type 'Shared' does not conform to the 'Sendable' protocol"),
        .whole(
            "@PrefsSchema final class Prefs { @Storage private var storage = .dictionary }",
            "mark the property as 'internal' to satisfy the requirement",
            errors: [
                """
                property 'storage' must be as accessible as its enclosing type because it matches a \
                requirement in protocol 'PrefsSchema'
                """
            ]),
    ]

    private static let members = [
        "@Pref var a: Int? = nil", "@Pref var a: Swift.Optional<Int>", "@Pref var a = URL.home()",
        "@Pref(in: low...high) var a: Int = 1", "@Pref(coding: .uInt8AsInt) var a: UInt8 = 1",
        "let constant = 1", "var computed: Int { 1 }", "static let shared = 1",
        "@Pref(validate: isGood) var a: Int = 1", "@Pref(key: newName, formerly: oldName) var a: Int = 1",
        "@Pref(validate: { (value: Int) in value > 0 }) var a: Int = 1",
        "@RawPref var a: [Any] = []", "@MainActor @Pref var a: Int = 1",
    ]

    private static let classes = [
        "@PrefsSchema final class Prefs<T: LayeredPrefs.PrefsStorageValue> { @Storage var storage = .dictionary; @Pref var a: T? }",
        "@MainActor @PrefsSchema final class Prefs { @Storage var storage = .dictionary; @Pref var a: Int = 1 }",
        "@PrefsSchema final class Prefs { @Storage var storage: PrefsStack }; func f(_ s: PrefsStack) -> Prefs { Prefs(s) }",
        "@PrefsSchema class Prefs { @Storage var storage: DictionaryPrefsStorage; init(of s: DictionaryPrefsStorage) { storage = s } }; func f() -> Prefs { Prefs(of: DictionaryPrefsStorage()) }",
        "@PrefsSchema class Prefs { @Storage var storage = .dictionary; @Pref var a = 1; var b = 2 }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary }; func f() -> Int { Prefs.keys.count }",
        "@PrefsGroup final class Group { @Pref var a = 1 }; func f() -> Int { Group.keys.count }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; @PrefGroup var http: HTTPPrefs }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; @MainActor @Pref var a: Int? }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; @Pref var a: Fruit = .apple }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; @Pref var a: [Fruit]? }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; @Pref var a: Route = Route() }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; @Pref var a: [String: [Route]] = [:] }",
        "@PrefsSchema final class Prefs { @Storage var storage = .dictionary; @Pref var a: UInt8 = 1; @Pref var b: URL? }",
    ]

    private static let shared = """
        @PrefsGroup final class HTTPPrefs { @Pref var port: Int = 80 }
        enum Fruit: String { case apple }
        struct Unstored: Sendable {}
        struct Route: Codable, Sendable { var host = "" }
        final class Shared {}
        extension URL { static func home() -> URL { URL(fileURLWithPath: "/") } }
        let (low, high) = (0, 9)
        let (newName, oldName) = ("new", "old")
        @Sendable func isGood(_ value: Int) -> Bool { value > 0 }
        @globalActor actor OtherActor { static let shared = OtherActor() }
        """
}
