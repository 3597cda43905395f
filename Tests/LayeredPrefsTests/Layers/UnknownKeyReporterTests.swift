import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite struct UnknownKeyReporterTests {
    private let known = {
        var known = KnownKeys()
        _ = known.insert(PrefsKeyName("http.port", formerNames: ["port"]), prefixes: [])
        return known
    }()

    private func snapshot(_ source: PrefsSource) -> PrefsSnapshot {
        PrefsSnapshot(parts: [PrefsSnapshot.Part(source: source, layer: "user")])
    }

    @Test func `nothing is reported before a declaration`() {
        var reporter = UnknownKeyReporter()
        let unknown = snapshot(PrefsSource(["zzz": 1]))
        #expect(reporter.check(unknown, against: known).isEmpty)
        #expect(reporter.noteDeclaration() == 1)
        #expect(reporter.checkAgain(unknown, against: known).isEmpty)
        #expect(reporter.check(unknown, against: known).map(\.key) == ["zzz"])
    }

    @Test func `a key is reported once and again when it comes back`() {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let bad = snapshot(PrefsSource(["http": ["prot": 1]]))
        #expect(reporter.check(bad, against: known).map(\.key) == ["http.prot"])
        #expect(reporter.checkAgain(bad, against: known).isEmpty)
        #expect(reporter.checkAgain(snapshot(PrefsSource([:])), against: known).isEmpty)
        #expect(reporter.checkAgain(bad, against: known).map(\.key) == ["http.prot"])
    }

    @Test func `only the changed keys of a new version are checked again`() throws {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let first = PrefsSource(["a": 1, "http": ["port": 1]])
        #expect(reporter.check(snapshot(first), against: known).map(\.key) == ["a"])
        let root = PrefsContent.value(["a": 1, "http": ["prot": 1]])
        let second = first.next(root, changing: [PrefsPath("http")], cause: .file, author: nil)
        let errors = reporter.checkAgain(snapshot(second), against: known)
        #expect(errors.map(\.key) == ["http.prot"])
        #expect(errors.first?.origin?.layer == "user")
        #expect(errors.first?.reason == "unknown key; did you mean “http.port”?")
    }

    @Test func `a former name is reported with the present one`() {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let errors = reporter.check(snapshot(PrefsSource(["port": 1])), against: known)
        #expect(errors.map(\.reason) == ["renamed to “http.port”"])
    }

    @Test func `an unknown variable is reported with the nearest variable`() {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let variables = EnvironmentVariables(prefix: "MYD_", variables: ["MYD_HTTP_PROT": "1", "OTHER": "1"])
        let errors = reporter.check(snapshot(PrefsSource(variables: variables)), against: known)
        #expect(errors.map(\.reason) == ["unknown key; did you mean “MYD_HTTP_PORT”?"])
    }
}
