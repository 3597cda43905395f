import Foundation
import LayeredPrefs
import TestSupport
import Testing

/// Files with every kind of key pass through the commands unchanged.
@Suite struct AnyKeyTests {
    /// Returns the folder of a test, with the file `u.json`.
    private static func sandbox(_ content: [String: PrefsValue]) throws -> Sandbox {
        let sandbox = try Sandbox()
        try write(content, to: "u.json", in: sandbox)
        return sandbox
    }

    private static func write(
        _ content: [String: PrefsValue], to name: String, in sandbox: Sandbox
    ) throws {
        let bytes = try PrefsFileFormat.json.serialize(content)
        try sandbox.write(String(decoding: bytes, as: UTF8.self), to: "\(sandbox.root)/\(name)")
    }

    private static func values(of name: String, in sandbox: Sandbox) throws -> [String: PrefsValue] {
        let path = "\(sandbox.root)/\(name)"
        guard let bytes = FileManager.default.contents(atPath: path) else { return [:] }
        return leaves(of: try PrefsDocument(parsing: Array(bytes), path: path).content)
    }

    /// Returns the values by name.
    private static func leaves(of content: [String: PrefsValue]) -> [String: PrefsValue] {
        var leaves: [String: PrefsValue] = [:]
        func add(_ value: PrefsValue, _ path: PrefsPath) {
            guard case .dictionary(let entries) = value, !entries.isEmpty else {
                return leaves[path.name] = value
            }
            for (key, value) in entries { add(value, path.appending(key)) }
        }
        for (key, value) in content { add(value, PrefsPath.topLevel(key)) }
        return leaves
    }

    static let hosts: [String: PrefsValue] = [
        "routes": ["example.com": "10.0.0.1", "mail.example.org": "10.0.0.2", "local": "127.0.0.1"],
        "only": ["a.b": 1], "port": 25,
    ]

    static let contents: [[String: PrefsValue]] =
        [hosts]
        + (0..<12).map { seed in
            var random = RandomKeys(seed: seed)
            return random.content()
        }

    @Test(arguments: contents) func `export, import and convert keep every value`(
        content: [String: PrefsValue]
    ) throws {
        let sandbox = try Self.sandbox(content)
        let expected = Self.leaves(of: content)
        let user = ["--layer", "user=\(sandbox.root)/u.json"]
        #expect(try sandbox.run(Sandbox.tool, ["export", "-o", "\(sandbox.root)/e.toml"] + user).status == 0)
        #expect(try Self.values(of: "e.toml", in: sandbox) == expected)
        let new = ["--layer", "user=\(sandbox.root)/new.json"]
        #expect(try sandbox.run(Sandbox.tool, ["import", "\(sandbox.root)/u.json"] + new).status == 0)
        #expect(try Self.values(of: "new.json", in: sandbox) == expected)
        try Self.write(["gone": ["x.y": 1, "": ["z": 2]], "q.r": 3], to: "old.json", in: sandbox)
        let old = ["--layer", "user=\(sandbox.root)/old.json", "--replace"]
        #expect(try sandbox.run(Sandbox.tool, ["import", "\(sandbox.root)/e.toml"] + old).status == 0)
        #expect(try Self.values(of: "old.json", in: sandbox) == expected)
        let converted = try sandbox.prefs("convert", "\(sandbox.root)/u.json", "--to", "toml")
        let document = try PrefsDocument(parsing: Array(converted.output.utf8), as: .toml)
        #expect(Self.leaves(of: document.content) == expected)
    }

    @Test(arguments: contents) func `diff names every difference`(content: [String: PrefsValue]) throws {
        let sandbox = try Self.sandbox(content)
        let names = Self.leaves(of: content).keys.sorted()
        let (first, last) = (try #require(names.first), try #require(names.last))
        let user = "user=\(sandbox.root)/u.json"
        for name in Set([first, last]) {
            var changed = PrefsValue.dictionary(PrefsSnapshot(content).dictionary)
            changed.insert("changed", at: PrefsPath(name).components[...])
            try Self.write(changed.dictionary ?? [:], to: "v.json", in: sandbox)
            let (old, new) = ("\(sandbox.root)/u.json", "\(sandbox.root)/v.json")
            let diff = try sandbox.prefs("diff", old, new, "--json")
            #expect(diff.status == 1 && Self.keys(in: diff.output) == [name])
            let supposed = try sandbox.prefs("diff", "--layer", user, "--if", "user=\(new)", "--json")
            #expect(supposed.status == 1 && Self.keys(in: supposed.output).contains(name))
        }
        #expect(try sandbox.prefs("diff", "\(sandbox.root)/u.json", "\(sandbox.root)/u.json").status == 0)
    }

    @Test(arguments: contents) func `a listed name can be read, set, removed and locked`(
        content: [String: PrefsValue]
    ) throws {
        let sandbox = try Self.sandbox(content)
        let user = ["--layer", "user=\(sandbox.root)/u.json"]
        func prefs(_ arguments: String...) throws -> Run {
            try sandbox.run(Sandbox.tool, arguments.prefix(1) + user + arguments.dropFirst())
        }
        var expected = Self.leaves(of: content)
        #expect(try Set(Self.keys(in: prefs("list", "--json").output)) == Set(expected.keys))
        for name in expected.keys.sorted().prefix(4) {
            guard let value = expected[name], value.kind != .dictionary else { continue }
            #expect(try prefs("get", name, "--json").object["type"] as? String != nil)
            #expect(try prefs("set", name, "--type", "string", "--", "new").status == 0)
            expected[name] = "new"
            #expect(try Self.values(of: "u.json", in: sandbox) == expected)
            #expect(try prefs("get", name).output == "new\n")
            #expect(try prefs("explain", name).output.contains("new"))
            #expect(try prefs("unset", name).status == 0)
            expected[name] = nil
            #expect(try Self.values(of: "u.json", in: sandbox) == expected)
        }
    }

    @Test(arguments: contents) func `a lock on a name holds`(content: [String: PrefsValue]) throws {
        let sandbox = try Self.sandbox(content)
        try Self.write(content, to: "s.json", in: sandbox)
        let layers = ["--layer", "system=\(sandbox.root)/s.json", "--layer", "user=\(sandbox.root)/u.json"]
        func prefs(_ arguments: String...) throws -> Run {
            try sandbox.run(Sandbox.tool, arguments.prefix(1) + layers + arguments.dropFirst())
        }
        for name in Self.leaves(of: content).keys.sorted().suffix(3) {
            let before = try prefs("get", name, "--json").object["value"]
            var changed = PrefsValue.dictionary(PrefsSnapshot(content).dictionary)
            changed.insert("evil", at: PrefsPath(name).components[...])
            try Self.write(changed.dictionary ?? [:], to: "u.json", in: sandbox)
            let word = LocksDocument.line(locking: name)
            #expect(try prefs("lock", word).status == 0)
            #expect(try Self.keys(in: prefs("locks", "--json").output) == [name])
            let after = try prefs("get", name, "--json").object["value"]
            #expect("\(after ?? "")" == "\(before ?? "")", "\(name)")
            #expect(try prefs("set", name, "--type", "string", "--", "x").status == 3)
            #expect(try prefs("unlock", word).status == 0)
            #expect(try prefs("locks").output.isEmpty)
        }
    }

    @Test func `a lock that can have no effect is rejected`() throws {
        let sandbox = try Self.sandbox(Self.hosts)
        let layers = ["--layer", "system=\(sandbox.root)/u.json"]
        let run = try sandbox.run(Sandbox.tool, ["lock", "routes.example.com"] + layers)
        #expect(run.status == 1 && run.errors.contains(#"did you mean “routes."example.com"”?"#))
        try sandbox.write("routes.example.com\n", to: "\(sandbox.root)/u.locks")
        let doctor = try sandbox.run(Sandbox.tool, ["doctor"] + layers)
        #expect(doctor.output.contains("the lock on “routes.example.com” has no effect"))
        let typed = try sandbox.layered("lock", "limits.example.com", "--schema", sandbox.schema)
        #expect(typed.status == 1 && typed.errors.contains("declared as dictionary of integer"))
        #expect(try sandbox.layered("lock", #"limits."example.com""#, "--schema", sandbox.schema).status == 0)
    }

    @Test(.enabled(if: Tool.find("bash") != nil))
    func `completion offers a name as the shell must pass it on`() throws {
        let sandbox = try Sandbox()
        let schema = "\(sandbox.root)/routes.json"
        try sandbox.write(
            #"{"properties": {"routes": {"properties": {"example.com": {"type": "string"}}}}}"#, to: schema)
        let script = """
            source <("$1" --generate-completion-script bash) || exit 1
            function="$(complete -p prefs)"; function="${function#*-F }"; function="${function% *}"
            COMP_WORDS=("$1" get --schema "$2" ""); COMP_CWORD=4
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            "$function" prefs "" "$2"
            for word in "${COMPREPLY[@]}"; do eval "printf '%s\\\\n' $word"; done
            """
        let run = try sandbox.run("/bin/bash", ["-c", script, "bash", Sandbox.tool, schema])
        #expect(run.lines.contains(#"routes."example.com""#), "\(run)")
    }

    private static func keys(in json: String) -> [String] {
        let list = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [[String: Any]] ?? []
        return list.compactMap { $0["key"] as? String }
    }
}

/// Random contents whose keys contain dots, quotes, spaces, nothing, other scripts and control characters.
private struct RandomKeys {
    private var generator: SeededGenerator
    private var count = 0

    init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

    mutating func content(depth: Int = 0) -> [String: PrefsValue] {
        var content: [String: PrefsValue] = [:]
        for _ in 0..<Int.random(in: 2...4, using: &generator) {
            let isInner = depth < 3 && Int.random(in: 0..<5, using: &generator) < 2
            content[key()] = isInner ? .dictionary(self.content(depth: depth + 1)) : value()
        }
        if depth > 0, Bool.random(using: &generator) { content[""] = value() }
        return content
    }

    private mutating func value() -> PrefsValue {
        count += 1
        let values: [PrefsValue] = [.integer(Int128(count)), .string("text \(count)"), [:]]
        return values[Int.random(in: 0..<3, using: &generator)]
    }

    /// Returns a key that differs from all others, so that no two keys spell one path.
    private mutating func key() -> String {
        count += 1
        let letters = [
            ".", ".", "\"", "\\", " ", "é", "日本", "\n", "\t", "\u{1B}", "\u{202E}", "#", "*", "a", "[", "=",
            "'",
        ]
        let text = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            letters.randomElement(using: &generator) ?? ""
        }
        return text.joined() + "k\(count)"
    }
}
