#if Etcd
    import LayeredPrefs
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct KeyMappingTests {
        private let mapping = KeyMapping(prefix: "/p/")

        private func candidate(_ value: [UInt8]) -> PrefsCandidate {
            mapping.candidate(for: EtcdItem(key: Array("/p/http/port".utf8), value: value, revision: 4711))
        }

        @Test func `slashes separate the parts of a name`() throws {
            #expect(try mapping.name(of: Array("/p/http/port".utf8)) == "http.port")
            #expect(try mapping.key(for: "http.port") == Array("/p/http/port".utf8))
        }

        @Test(arguments: ["/p/", "/p//port", "/p/http/", "/p/http.port", "/p/a/b.c/d"])
        func `a key with an empty part or a dot names nothing`(_ key: String) {
            #expect(throws: PrefsError.self) { try mapping.name(of: Array(key.utf8)) }
        }

        @Test func `a key that is not UTF-8 names nothing, and is shown with escape sequences`() {
            let key = Array("/p/".utf8) + [0x61, 0xff, 0x00]
            #expect {
                try mapping.name(of: key)
            } throws: { ($0 as? PrefsError)?.reason == "the key is not UTF-8" }
            #expect(KeyMapping.text(of: key) == #"/p/a\xff\x00"#)
        }

        @Test(arguments: ["", "a..b", "a/b", "/"])
        func `a name that no key can spell cannot be written`(_ name: String) {
            #expect(throws: PrefsError.self) { try mapping.key(for: name) }
        }

        @Test(arguments: [
            ("8080", PrefsValue.integer(8080)), ("1.0", .real(1)), ("true", .bool(true)),
            (#""a b""#, .string("a b")),
            (#"{"a":[1,"x"]}"#, .dictionary(["a": .array([.integer(1), .string("x")])])),
        ])
        func `a value is JSON`(_ text: String, _ value: PrefsValue) {
            let candidate = candidate(Array(text.utf8))
            #expect(candidate.value == value && !candidate.isText && candidate.rejection == nil)
            #expect(candidate.origin.description == "etcd /p/http/port revision 4711")
        }

        @Test(arguments: ["debug", "30s", "", "a b", "10.0.0.1", "-", "nullable"])
        func `a value that is not JSON is text`(_ text: String) {
            let candidate = candidate(Array(text.utf8))
            #expect(candidate.value == .string(text) && candidate.isText && candidate.rejection == nil)
        }

        @Test(arguments: [#"{"a":1"#, "[1,", #""open"#, #" {"a":1,"a":2}"#, "null"])
        func `broken JSON is rejected`(_ text: String) {
            #expect(candidate(Array(text.utf8)).rejection != nil)
        }

        @Test func `bytes that are no text and large values are rejected`() {
            #expect(candidate([0xff]).rejection?.code == .syntax)
            #expect(
                candidate([UInt8](repeating: 0x31, count: KeyMapping.valueLimit + 1)).rejection?.code
                    == .tooLarge)
        }
    }
#endif
