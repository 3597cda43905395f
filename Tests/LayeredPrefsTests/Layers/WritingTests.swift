import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("Writing")
struct WritingTests {
    @Test func `a write can be read at once and reports the value that shadows it`() throws {
        let stack = try Stack()
        #expect(try stack.storage.set(.port, to: 1, in: .user) == .effective)
        #expect(stack.storage.get(.port) == 1)
        #expect(try stack.storage.set(.port, to: 2, in: .overrides) == .effective)
        let outcome = try stack.storage.set(.port, to: 3, in: .user)
        guard case .shadowed(let origin) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(origin.layer == "overrides")
        #expect(stack.storage.get(.port) == 2)
    }

    @Test func `removing a value makes the lower one effective`() throws {
        let stack = try Stack(system: ["http": ["port": 1]], user: ["http": ["port": 2], "http.port": 3])
        try stack.storage.setValue(nil, forKey: "http.port", in: .user)
        #expect(stack.storage.get(.port) == 1)
        #expect(stack.user.snapshot.dictionary.isEmpty)
    }

    @Test(
        arguments: [
            ([:], ["http": ["port": 7]]),
            (["http": ["host": "a"]], ["http": ["host": "a", "port": 7]]),
            (["http.port": 1, "http": ["port": 2]], ["http.port": 7, "http": ["port": 2]]),
            (["http": 5], ["http": 5, "http.port": 7]),
        ] as [([String: PrefsValue], [String: PrefsValue])])
    func `a write keeps the spelling`(before: [String: PrefsValue], after: [String: PrefsValue]) throws {
        let stack = try Stack(user: before)
        try stack.storage.set(.port, to: 7, in: .user)
        #expect(stack.user.snapshot.dictionary == after)
        #expect(stack.storage.get(.port) == 7)
    }

    @Test func `a write without a persistent layer must name a layer`() throws {
        let stack = try Stack()
        let error = #expect(throws: PrefsError.self) { try stack.storage.set(.port, to: 1) }
        #expect(error?.code == .notWritable)
    }

    @Test func `an invalid value is not written`() throws {
        let stack = try Stack()
        let error = #expect(throws: PrefsError.self) { try stack.storage.set(.port, to: 0, in: .user) }
        #expect(error?.code == .invalid)
        #expect(stack.user.snapshot.dictionary.isEmpty)
    }

    @Test(arguments: [("nowhere", PrefsError.Code.missing)] as [(PrefsLayer.Name, PrefsError.Code)])
    func `an unknown layer is an error`(_ name: PrefsLayer.Name, code: PrefsError.Code) throws {
        let stack = try Stack()
        let error = #expect(throws: PrefsError.self) { try stack.storage.set(.port, to: 1, in: name) }
        #expect(error?.code == code)
    }
}
