import PersistentKeyValueKitCompatibility
import TestSupport
import Testing

/// As in upstream's suites, a test passes the arguments of a command line as the domain of one object.
@Suite struct ArgumentDomainTests {
    let suite = DefaultsSuite()

    private func defaults(arguments: [String: Any]) -> UserDefaults {
        let defaults = suite.defaults
        defaults.setVolatileDomain(arguments, forName: UserDefaults.argumentDomain)
        return defaults
    }

    @Test func `the text of an argument is parsed as the key's type`() {
        let defaults = defaults(arguments: [
            "bool": "YES", "int": "7", "double": "1.5", "float": "2.5", "text": "x", "url": "a:b",
        ])
        #expect(defaults.get(PersistentKey("bool", defaultValue: false)))
        #expect(defaults.get(PersistentKey("int", defaultValue: 1)) == 7)
        #expect(defaults.get(PersistentKey("double", defaultValue: 1.0)) == 1.5)
        #expect(defaults.get(PersistentKey("float", defaultValue: Float(1))) == 2.5)
        #expect(defaults.get(PersistentKey("text", defaultValue: "")) == "x")
        #expect(defaults.get(PersistentKey<URL?>("url")) == URL(string: "a:b"))
        #expect(defaults.get(PersistentKey<Int?>("int")) == 7)
    }

    @Test func `an argument takes precedence over a stored value, until it is removed`() {
        let key = PersistentKey("n", defaultValue: 1)
        let defaults = defaults(arguments: ["n": "2"])
        defaults.set(key, to: 3)
        #expect(defaults.get(key) == 2)
        defaults.removeVolatileDomain(forName: UserDefaults.argumentDomain)
        #expect(defaults.get(key) == 3)
    }

    @Test func `an argument that does not parse reads as the default`() {
        let key = PersistentKey("n", defaultValue: 1)
        let defaults = defaults(arguments: ["n": "many"])
        defaults.set(key, to: 3)
        #expect(defaults.get(key) == 1)
    }

    @Test func `an argument may be a value that needs no parsing`() {
        let defaults = defaults(arguments: ["n": 2, "list": [1, 2]])
        #expect(defaults.get(PersistentKey("n", defaultValue: 1)) == 2)
        #expect(defaults.get(PersistentKey("list", defaultValue: [0])) == [1, 2])
        let candidates = UserDefaultsPrefsStorage(suite: defaults)._candidates(forKey: "n")
        #expect(candidates.map(\.origin.layer) == ["arguments"])
    }

    @Test func `the arguments of one object are not those of another`() {
        let key = PersistentKey("n", defaultValue: 1)
        _ = defaults(arguments: ["n": "2"])
        #expect(suite.defaults.get(key) == 1)
    }
}
