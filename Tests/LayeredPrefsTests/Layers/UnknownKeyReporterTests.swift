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
        let unknown = snapshot(PrefsSource(.value(["zzz": 1])))
        #expect(reporter.check(unknown, against: known).isEmpty)
        #expect(reporter.noteDeclaration() == 1)
        #expect(reporter.checkAgain(unknown, against: known).isEmpty)
        #expect(reporter.check(unknown, against: known).map(\.key) == ["zzz"])
    }

    @Test func `a key is reported once and again when it comes back`() {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let bad = snapshot(PrefsSource(.value(["http": ["prot": 1]])))
        #expect(reporter.check(bad, against: known).map(\.key) == ["http.prot"])
        #expect(reporter.checkAgain(bad, against: known).isEmpty)
        #expect(reporter.checkAgain(snapshot(PrefsSource()), against: known).isEmpty)
        #expect(reporter.checkAgain(bad, against: known).map(\.key) == ["http.prot"])
    }

    @Test func `an unknown key of a new version is reported, and those before it are not again`() throws {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let first = PrefsSource(.value(["a": 1, "http": ["port": 1]]))
        #expect(reporter.check(snapshot(first), against: known).map(\.key) == ["a"])
        let root = PrefsContent.value(["a": 1, "http": ["prot": 1]])
        let second = first.next(root, changing: [PrefsPath("http")], cause: .file)
        let errors = reporter.checkAgain(snapshot(second), against: known)
        #expect(errors.map(\.key) == ["http.prot"])
        #expect(errors.first?.origin?.layer == "user")
        #expect(errors.first?.reason == "unknown key; did you mean “http.port”?")
    }

    @Test func `a value in place of declared keys is not unknown, unless it is text`() {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let value = PrefsSource(.value(["http": 5]))
        #expect(reporter.check(snapshot(value), against: known).isEmpty)
        let text = PrefsSource(.value(["http": "5"]), isText: true)
        #expect(reporter.checkAgain(snapshot(text), against: known).map(\.key) == ["http"])
    }

    @Test func `of many unknown keys the first are reported and the others counted`() {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        func contents(_ count: Int) -> PrefsValue {
            .dictionary(Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\($0)", 1) }))
        }
        let first = PrefsSource(.value(contents(20_000)), file: "/f")
        let errors = reporter.check(snapshot(first), against: known)
        #expect(errors.count == 21)
        #expect(errors.last?.reason == "… and 19980 more unknown keys")
        #expect(errors.last?.origin == PrefsOrigin(layer: "user", file: "/f"))
        #expect(reporter.checkAgain(snapshot(first), against: known).isEmpty)

        // Only the number of new keys differs: none of the listed keys is new.
        let second = first.next(
            .value(contents(20_001)), changing: [PrefsPath("k20000")], cause: .file)
        #expect(
            reporter.checkAgain(snapshot(second), against: known).map(\.reason)
                == ["… and 19981 more unknown keys"])
        let third = second.next(
            .value(["k0": 1]), changing: PathList((1...20_000).map { PrefsPath("k\($0)") }), cause: .file)
        // A key that was only counted before is reported as soon as it is among the first.
        let later = reporter.checkAgain(snapshot(third), against: known)
        #expect((errors + later).map(\.key).count { $0 == "k0" } == 1)
    }

    @Test func `a former name is reported with the present one`() {
        var reporter = UnknownKeyReporter()
        _ = reporter.noteDeclaration()
        let errors = reporter.check(snapshot(PrefsSource(.value(["port": 1]))), against: known)
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
