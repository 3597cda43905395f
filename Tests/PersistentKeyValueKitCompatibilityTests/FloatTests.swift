import PersistentKeyValueKitCompatibility
import TestSupport
import Testing

@Suite struct FloatTests {
    let suite = DefaultsSuite()

    /// Foundation reads a `Float` as a `Double` once any suite of the process has been saved, which another
    /// test may do at any time.
    private func stores<Value: KeyValuePersistible & Sendable>(
        _ value: Value, where isExpected: (Any?) -> Bool
    ) -> Bool {
        let defaults = suite.defaults
        return (0..<50).contains { _ in
            defaults.set(PersistentKey("f", defaultValue: value), to: value)
            return isExpected(defaults.object(forKey: "f"))
        }
    }

    @Test func `a Float is stored as a Float`() {
        #expect(stores(Float(4.2)) { $0 as? Float == 4.2 })
        #expect(stores(Float?.some(4.2)) { $0 as? Float == 4.2 })
    }

    @Test func `the elements of a collection are stored as Floats`() {
        #expect(stores([Float(4.2)]) { $0 as? [Float] == [4.2] })
        #expect(stores(["a": Float(4.2)]) { $0 as? [String: Float] == ["a": 4.2] })
        #expect(stores([[Float(4.2)]]) { $0 as? [[Float]] == [[4.2]] })
    }

    @Test func `a type that is stored as a Float is stored as a Float`() {
        #expect(stores(Ratio(value: 4.2)) { $0 as? Float == 4.2 })
        #expect(stores([Ratio(value: 4.2)]) { $0 as? [Float] == [4.2] })
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
