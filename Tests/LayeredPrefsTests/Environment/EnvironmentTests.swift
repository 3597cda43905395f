import LayeredPrefs
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

@Suite("Environment")
struct EnvironmentTests {
    @Test(arguments: [
        ("port", "MYD_PORT"),
        ("http.readTimeout", "MYD_HTTP_READ_TIMEOUT"),
        ("HTTPPort", "MYD_HTTP_PORT"),
        ("log.level2Name", "MYD_LOG_LEVEL2_NAME"),
        ("a-b", "MYD_A_B"),
    ])
    func `a key has exactly one variable`(_ key: String, name: String) {
        #expect(EnvironmentName.name(forKey: key, prefix: "MYD_") == name)
    }

    @Test(arguments: [("com.example.myd", "MYD_"), ("myd", "MYD_"), ("org.example.webProxy", "WEB_PROXY_")])
    func `the prefix is the last part of the domain`(_ domain: String, prefix: String) {
        #expect(EnvironmentName.prefix(forDomain: domain) == prefix)
    }

    @Test func `text is parsed by the type of the key and rejected if it does not parse`() throws {
        let stack = PrefsStack {
            PrefsLayer.defaults(["http.port": 1])
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_", environment: ["MYD_HTTP_PORT": "2", "MYD_LIMITS": "{\"a\": 1}"]))
            PrefsLayer(
                .arguments, ArgumentsPrefsStorage(["--set", "http.port=many", "--set=log.level=debug", "x"]))
        }
        let resolution = stack.resolution(for: .port)
        #expect(resolution.value == 2)
        #expect(resolution.origin?.spelling == "MYD_HTTP_PORT")
        #expect(resolution.rejected.map(\.origin?.layer) == ["arguments"])
        #expect(stack.get(.level) == "debug")
        #expect(stack.get(.limits) == ["a": 1])
    }

    @Test func `a number that is too large for its type is rejected`() {
        let stack = PrefsStack {
            PrefsLayer(
                .environment,
                EnvironmentPrefsStorage(
                    prefix: "MYD_", environment: ["MYD_RATIO": "1e400", "MYD_COUNT": "99999999999999999999"]))
            PrefsLayer(.arguments, ArgumentsPrefsStorage(["--set", "ratio=-1e400"]))
        }
        let ratio = stack.resolution(for: PersistentKey("ratio", defaultValue: 0.5))
        #expect(ratio.value == 0.5)
        #expect(ratio.rejected.map(\.origin?.layer) == ["arguments", "environment"])
        let count = stack.resolution(for: PersistentKey("count", defaultValue: 1))
        #expect(count.value == 1)
        let reasons = (ratio.rejected + count.rejected).map(\.reason)
        #expect(reasons.count == 3, "\(reasons)")
        #expect(reasons.allSatisfy { $0.hasSuffix(", which is out of range") }, "\(reasons)")
    }

    @Test func `an argument with a very long key is an error`() {
        let key = String(repeating: "k", count: 4096)
        let storage = ArgumentsPrefsStorage(["--set=\(key)=1", "--set", "\(key)k=2", "--set", "=3"])
        #expect(storage.snapshot.dictionary == [key: "1"])
        let stack = PrefsStack { PrefsLayer(.arguments, storage) }
        stack.declare(PersistentKey(key, defaultValue: 0))
        let error = #expect(throws: PrefsError.self) { try stack.checkArguments() }
        let start = "expected a key and its value, as in --set KEY=VALUE, found"
        #expect(
            error?.problems.map(\.reason) == [
                "\(start) a key of 4097 bytes; the limit is 4096", "\(start) no key",
            ])
        #expect(error?.problems.first?.description.hasPrefix("arguments --set: \(start)") == true)
    }

    @Test func `arguments after two dashes are ignored`() {
        let storage = ArgumentsPrefsStorage(["--set", "a=1", "--set", "a=2", "--", "--set", "a=3"])
        #expect(storage.snapshot.dictionary == ["a": "2"])
    }
}
