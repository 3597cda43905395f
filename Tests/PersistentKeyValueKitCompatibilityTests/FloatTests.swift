import PersistentKeyValueKitCompatibility
import TestSupport
import Testing

@Suite struct FloatTests {
    let suite = DefaultsSuite()

    private func stores<Value: KeyValuePersistible & Sendable>(
        _ value: Value, where isExpected: (Any?) -> Bool
    ) async -> Bool {
        await DefaultsSuite.withoutSaving {
            let defaults = suite.defaults
            defaults.set(PersistentKey("f", defaultValue: value), to: value)
            return isExpected(defaults.object(forKey: "f"))
        }
    }

    @Test func `a Float is stored as a Float`() async {
        #expect(await stores(Float(4.2)) { $0 as? Float == 4.2 })
        #expect(await stores(Float?.some(4.2)) { $0 as? Float == 4.2 })
    }

    @Test func `the elements of a collection are stored as Floats`() async {
        #expect(await stores([Float(4.2)]) { $0 as? [Float] == [4.2] })
        #expect(await stores(["a": Float(4.2)]) { $0 as? [String: Float] == ["a": 4.2] })
        #expect(await stores([[Float(4.2)]]) { $0 as? [[Float]] == [[4.2]] })
    }

    @Test func `a type that is stored as a Float is stored as a Float`() async {
        #expect(await stores(Ratio(value: 4.2)) { $0 as? Float == 4.2 })
        #expect(await stores([Ratio(value: 4.2)]) { $0 as? [Float] == [4.2] })
    }

    @Test func `a default is registered as a Float`() {
        let defaults = suite.defaults
        let key = PersistentKey("float-\(suite.name)", defaultValue: Float(4.2))
        defaults.register(key)
        #expect(defaults.object(forKey: key.id) as? Float == 4.2)
        #expect(defaults.get(key) == 4.2)
    }
}

private struct Ratio: KeyValuePersistible {
    var value: Float

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Ratio> {
        ProxyPersistentKeyValueRepresentation(to: \Ratio.value, from: Ratio.init(value:))
    }
}
