import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

private struct Relay: Codable, Sendable {
    @Setting(secret: true) var token = "none"
}

/// The options of fields, by the wrapper and by name: no option is hidden, and no secret is printed.
@Suite struct LiveOptionTests {
    private struct Optionals: Codable, Sendable {
        @Setting("Name", secret: true) var name: String?
        @Setting(in: 1...9) var level: Int?
        @Setting(in: 1...65535) var port: UInt16? = nil
        @Setting var host: String?
    }

    private let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler()) { PrefsLayer.overrides }

    private func reason(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch {
            return (error as? PrefsError)?.reason ?? "\(error)"
        }
    }

    @Test func `a struct that states its mirror prints fields by their names, and masks secrets`() throws {
        struct Limits: Codable, CustomReflectable {
            @Setting(in: 1...9) var perSecond = 5
            @Setting(secret: true) var token = "s3cret"
            var customMirror: Mirror {
                Mirror(self, children: ["perSecond": _perSecond, "token": _token], displayStyle: .struct)
            }
        }
        #expect("\(Limits())" == "Limits(perSecond: 5, token: ••••)")
    }

    @Test(arguments: 0..<20) func `the most specific path of an entry's options counts`(_: Int) throws {
        struct Entry: PrefsSection, Sendable { @Setting(in: 1...9) var x = 1 }
        struct Entries: Codable, Sendable { var a: [String: [String: Entry]] = ["foo": ["bar": Entry()]] }
        let entries = try Live(
            Entries(), storage,
            fields: ["a.foo.*.x": .secret, "a.*.bar.x": FieldOptions(), "a.*.*.x": FieldOptions()])
        try storage.setValue(
            ["foo": ["new": ["x": 7000001]], "other": ["new": ["x": 8000001]]], forKey: "a", in: .overrides)
        #expect(!"\(entries.current)".contains("7000001") && "\(entries.current)".contains("8000001"))
    }

    @Test func `a type whose encoding hides options is an error`() {
        struct Hiding: Codable, Sendable {
            @Setting(secret: true) var token = "t"
            var other = 1
            init() {}
            enum CodingKeys: String, CodingKey { case other }
        }
        #expect(reason { _ = try Live(Hiding(), storage) }.hasPrefix("the encode(to:) of a type hides"))
    }

    @Test func `nothing else makes up for options that a type hides`() {
        struct Part: PrefsSection, Sendable {
            @Setting var size = 1
            @Setting(secret: true) var key = ""
        }
        struct Hiding: Codable, Sendable {
            @Setting(secret: true) var token = "t"
            @Setting(secret: true) var other = "o"
            var port = 1
            var part: Part? = nil
            var parts = [Part(), Part()]
            init() {}
            enum CodingKeys: String, CodingKey { case port, part, parts }
        }
        for named: [String: FieldOptions] in [[:], ["port": .secret], ["port": .required]] {
            let words = reason { _ = try Live(Hiding(), storage, fields: named) }
            #expect(words.hasPrefix("the encode(to:) of a type hides"), "\(named)")
        }
    }

    @Test func `options that a section or an element hides are an error`() {
        struct Part: PrefsSection, Sendable, Hashable {
            @Setting(secret: true) var key = ""
            init() {}
            init(from decoder: any Decoder) throws {
                key = try decoder.container(keyedBy: Keys.self).decode(String.self, forKey: .key)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                try container.encode(key, forKey: .key)
            }
            enum Keys: String, CodingKey { case key }
        }
        struct Absent: Codable, Sendable { var part: Part? = nil }
        struct Elements: Codable, Sendable { var parts = [Part()] }
        struct Values: Codable, Sendable { var parts = ["a": Part()] }
        for words in [
            reason { _ = try Live(Absent(), storage) }, reason { _ = try Live(Elements(), storage) },
            reason { _ = try Live(Values(), storage) },
        ] {
            #expect(words.hasPrefix("the encode(to:) of a type hides"))
        }
    }

    @Test func `a renamed field and one whose options are given by name hide nothing`() throws {
        struct Renamed: Codable, Sendable {
            @Setting(secret: true) var token = "t"
            enum CodingKeys: String, CodingKey { case token = "auth_token" }
        }
        #expect(try Live(Renamed(), storage).current.token == "t")
        #expect(storage.explanation(forKey: "auth_token").isSecret)
    }

    @Test func `an option given by name excuses one field only`() {
        struct Part: Codable, Sendable {
            @Setting(secret: true) var token = ""
            init() {}
            enum CodingKeys: CodingKey {}
        }
        struct Parts: Codable, Sendable {
            var a = Part()
            var b = Part()
        }
        #expect(
            reason { _ = try Live(Parts(), storage, fields: ["a.token": .secret]) }
                .hasPrefix("the encode(to:) of a type hides"))
    }

    @Test func `an optional field needs no default, and may have a range`() throws {
        let storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { PrefsLayer.overrides }
        let live = try Live(Optionals(), storage)
        #expect(live.current.name == nil && live.current.level == nil && live.current.port == nil)
        try storage.setValue(7, forKey: "level", in: .overrides)
        try storage.setValue("a", forKey: "name", in: .overrides)
        try storage.setValue(8080, forKey: "port", in: .overrides)
        #expect(live.current.name == "a" && live.current.level == 7 && live.current.port == 8080)
        let error = #expect(throws: PrefsError.self) {
            try storage.setValue(10, forKey: "level", in: .overrides)
        }
        #expect(error?.reason == "expected 1...9, found the integer 10")
        #expect(live.keys.first { $0.name == "level" }?.limits.description == "1...9")
        #expect(live.keys.first { $0.name == "name" }?.isSecret == true)
    }

    @Test func `an optional field may be absent for the decoders of Foundation, too`() throws {
        let decoded = try JSONDecoder().decode(Optionals.self, from: Data(#"{"level": 7}"#.utf8))
        #expect(decoded.name == nil && decoded.level == 7 && decoded.port == nil)
        let copy = try JSONDecoder().decode(Optionals.self, from: JSONEncoder().encode(decoded))
        #expect(copy.name == nil && copy.level == 7 && copy.port == nil)
    }

    private struct Box<Value: Codable & Sendable>: Codable, Sendable {
        @Setting var value: Value
    }

    @Test func `a field of a generic type may be optional`() throws {
        let live = try Live(Box<Int?>(value: nil), storage)
        #expect(live.current.value == nil)
        try storage.setValue(7, forKey: "value", in: .overrides)
        #expect(live.current.value == 7)
    }

    @Test func `printing a configuration shows no secret`() throws {
        struct Account: Codable, Sendable {
            @Setting(secret: true) var token = "first"
            @Setting(secret: true) var pin: Int? = nil
            @Setting var name = "ada"
        }
        let account = try Live(Account(), storage)
        try storage.setValue("s3cret", forKey: "token", in: .overrides)
        try storage.setValue(4711, forKey: "pin", in: .overrides)
        let current = account.current
        #expect(current.token == "s3cret" && current.pin == 4711)
        var dumped = ""
        dump(current, to: &dumped)
        for text in ["\(current)", String(reflecting: current), dumped, "\(Account())"] {
            #expect(text.contains("••••") && text.contains("ada"), "\(text)")
            for secret in ["first", "s3cret", "4711"] { #expect(!text.contains(secret), "\(text)") }
        }
    }

    @Test func `options of a field that does not exist are an error`() {
        #expect(
            reason { _ = try Live(Relay(), storage, fields: ["tokn": .secret]) }
                == "options are given for this field, but Relay has no such field")
    }

    @Test func `options by name are those of the wrapper`() throws {
        struct Plain: Codable, Sendable { let token: String }
        let live = try Live(Plain(token: "x"), storage, fields: ["token": .secret])
        #expect(live.current.token == "x")
        #expect(storage.explanation(forKey: "token").isSecret)
    }

    @Test func `fields are validated by name`() throws {
        struct Plain: Codable, Sendable {
            var port: Int? = nil
            var workers = 2
            var sizes = ["a": 1]
        }
        let options: [String: FieldOptions] = [
            "port": .range(1...65535),
            "workers": .validated(requiring: "an even number") { (workers: Int) in
                workers.isMultiple(of: 2) ? nil : "expected an even number"
            },
        ]
        let plain = try Live(Plain(), storage, fields: options)
        for (key, value, words) in [
            ("port", 70000, "expected 1...65535"), ("workers", 3, "expected an even number"),
        ] as [(String, PrefsValue, String)] {
            let error = #expect(throws: PrefsError.self) {
                try storage.setValue(value, forKey: key, in: .overrides)
            }
            #expect(error?.reason.hasPrefix(words) == true, "\(String(describing: error))")
        }
        try storage.setValue(80, forKey: "port", in: .overrides)
        #expect(plain.current.port == 80 && plain.current.workers == 2)
        #expect(
            reason { _ = try Live(Plain(), storage, at: "b", fields: ["workers": .range(0...1.5)]) }
                == "the options are for a value of type Double, but the field's type is Int")
        struct Small: Codable, Sendable { var port: UInt16? = nil }
        let small = try Live(Small(), storage, at: "small", fields: ["port": .range(1...UInt16(9000))])
        for port: PrefsValue in [9001, 70000, "x"] {
            #expect(throws: PrefsError.self) {
                try storage.setValue(port, forKey: "small.port", in: .overrides)
            }
        }
        #expect(small.current.port == nil)
    }

    @Test func `options by name reach absent sections, elements and entries of plain types`() throws {
        struct Limit: Codable, Sendable {
            var perSecond: Int
            var unit: String?
        }
        struct Host: Codable, Sendable {
            var name: String
            var ports: [Int]
            var limit: Limit?
        }
        struct Proxy: Codable, Sendable {
            var limit: Limit?
            var hosts: [Host] = []
            var sizes: [String: Int] = [:]
        }
        let proxy = try Live(
            Proxy(), storage,
            fields: [
                "limit.perSecond": .range(1...100), "limit.unit": .required, "sizes.*": .range(1...2),
                "sizes.big": .range(3...9), "hosts.*.ports.*": .range(1...65535),
                "hosts.*.limit.perSecond": .range(1...10),
                "hosts.*.name": .validated { (name: String) in
                    name.isEmpty ? "expected a name" : nil
                },
            ])
        func problems(of value: PrefsValue, at key: String) -> [String] {
            do {
                try storage.setValue(value, forKey: key, in: .overrides)
                return []
            } catch let error as PrefsError {
                return error.problems.map {
                    "\($0.key ?? ""): \($0.reason.prefix { $0 != "," })"
                }
            } catch { return ["\(error)"] }
        }
        #expect(
            problems(of: ["perSecond": 101, "unit": "x"], at: "limit") == [
                "limit.perSecond: expected 1...100"
            ])
        #expect(
            problems(of: ["perSecond": 5], at: "limit") == ["limit.unit: expected a value (it is required)"])
        #expect(problems(of: ["perSecond": 5, "unit": "x"], at: "limit").isEmpty)
        #expect(problems(of: ["a": 3, "big": 4], at: "sizes") == ["sizes.a: expected 1...2"])
        #expect(problems(of: ["a": 2, "big": 4], at: "sizes").isEmpty)
        let hosts: PrefsValue = [
            ["name": "a", "ports": [1, 0]], ["name": "b", "ports": [], "limit": ["perSecond": 11]],
            ["name": "", "ports": []],
        ]
        #expect(
            problems(of: hosts, at: "hosts") == [
                "hosts[0].ports[1]: expected 1...65535", "hosts[1].limit.perSecond: expected 1...10",
                "hosts[2].name: expected a name",
            ])
        #expect(problems(of: [["name": "a", "ports": [1]]], at: "hosts").isEmpty)
        #expect(proxy.current.limit?.perSecond == 5 && proxy.current.hosts.map(\.ports) == [[1]])
        for (name, options) in [
            ("limit.perSecnd", .secret), ("hosts.name", .secret), ("hosts.*.nam", .secret),
            ("hosts.*.limit.x", .required), ("sizes.*.x", .secret),
        ] as [(String, FieldOptions)] {
            #expect(
                reason { _ = try Live(Proxy(), storage, at: "b", fields: [name: options]) }
                    == "options are given for this field, but Proxy has no such field", "\(name)")
        }
        #expect(
            reason { _ = try Live(Proxy(), storage, at: "b", fields: ["limit.perSecond": .range(0...1.5)]) }
                == "the options are for a value of type Double, but the field's type is Int")
    }

    @Test func `options that only elements without a default have are an error`() {
        struct Plain: Codable, Sendable { @Setting(secret: true) var token = "" }
        struct Elements: Codable, Sendable { var upstreams: [Plain] = [] }
        struct Absent: Codable, Sendable { var upstream: Plain? = nil }
        struct Entries: Codable, Sendable { @Setting("All") var upstreams: [String: Plain] = [:] }
        let expected =
            "the options of this @Setting are unknown, because the default contains no Plain; declare `Plain:"
            + " PrefsSection` with an init(), or give the options by name"
        #expect(reason { _ = try Live(Elements(), storage) } == expected)
        #expect(reason { _ = try Live(Absent(), storage) } == expected)
        #expect(reason { _ = try Live(Entries(), storage) } == expected)
        #expect(reason { _ = try Live(Absent(), storage, fields: ["upstream.token": .secret]) } == "none")
        #expect(
            reason { _ = try Live(Elements(), storage, fields: ["upstreams.*.token": .secret]) } == "none")
    }

    @Test func `a configuration that is dumped shows no secrets`() throws {
        struct Plain: Codable, Sendable { var token = "hunter2" }
        let live = try Live(Plain(), storage, fields: ["token": .secret])
        try storage.setValue("hunter2", forKey: "token", in: .overrides)
        #expect(live.current.token == "hunter2")
        var words = "\(live) \(String(reflecting: live))"
        dump(live, to: &words)
        #expect(!words.contains("hunter2") && words.contains("token"), "\(words)")
    }
}
