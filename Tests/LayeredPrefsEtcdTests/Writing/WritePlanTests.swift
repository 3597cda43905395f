#if Etcd
    import FoundationEssentials
    import LayeredPrefs
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct WritePlanTests {
        private func changes(
            _ edits: [String: PrefsValue?], of contents: [String: String] = [:]
        ) throws -> [String: String?] {
            let mapping = KeyMapping(prefix: "/p/")
            let items = contents.map {
                EtcdItem(key: Array("/p/\($0)".utf8), value: Array($1.utf8), revision: 7)
            }
            let mirror = EtcdMirror(items: items, header: EtcdHeader())
            let changes = try WritePlan(mapping: mapping, edits: edits).changes(of: mirror.items)
            for change in changes { #expect(change.base == mirror.items[change.key]?.revision ?? 0) }
            return Dictionary(
                uniqueKeysWithValues: changes.map { change in
                    (
                        String(decoding: change.key.dropFirst(3), as: UTF8.self),
                        change.value.map { String(decoding: $0, as: UTF8.self) }
                    )
                })
        }

        @Test func `a value is stored as JSON under its path`() throws {
            #expect(try changes(["http.port": 81]) == ["http/port": "81"])
            #expect(
                try changes(["a": "x\"y", "b": 1.0, "c": true]) == ["a": #""x\"y""#, "b": "1.0", "c": "true"])
            #expect(try changes(["a": ["y": [1, 2], "x": "é"]]) == ["a": #"{"x":"é","y":[1,2]}"#])
        }

        @Test func `what is stored already, or missing already, is no change`() throws {
            #expect(try changes(["a": 1], of: ["a": "1"]).isEmpty)
            #expect(try changes(["a": nil]).isEmpty)
        }

        @Test func `setting or removing a dictionary removes the keys below it`() throws {
            let contents = ["http/port": "1", "http/tls/key": "2", "httpx": "3"]
            #expect(
                try changes(["http": ["host": "h"]], of: contents)
                    == ["http": #"{"host":"h"}"#, "http/port": nil, "http/tls/key": nil])
            #expect(try changes(["http": nil], of: contents) == ["http/port": nil, "http/tls/key": nil])
            #expect(
                try changes(["http": ["host": "h"], "http.port": 5], of: contents)
                    == ["http": #"{"host":"h"}"#, "http/port": "5", "http/tls/key": nil])
        }

        @Test func `removing a key also removes it from the object above it`() throws {
            #expect(
                try changes(["http.port": nil], of: ["http": #"{"port":1,"host":"h"}"#, "http/port": "2"])
                    == ["http": #"{"host":"h"}"#, "http/port": nil])
            #expect(try changes(["a.b.c": nil], of: ["a": #"{"b":{"c":1}}"#]) == ["a": nil])
            #expect(try changes(["a.b": nil], of: ["a": "5"]).isEmpty)
        }

        @Test(arguments: [
            PrefsValue.real(.nan), .real(.infinity), .integer(Int128(UInt64.max) + 1), .data(.init()),
            .date(.distantPast),
            .array([.data(.init())]),
        ])
        func `a value that JSON does not have is an error`(_ value: PrefsValue) {
            #expect { try changes(["a": value]) } throws: { ($0 as? PrefsError)?.code == .notEncodable }
        }
    }
#endif
