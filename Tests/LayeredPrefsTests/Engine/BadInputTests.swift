import LayeredPrefsTesting
import Synchronization
import Testing

@testable import LayeredPrefs

private enum Level: String, Codable, CaseIterable, Sendable { case debug, info, warning }

private struct Relay: Codable, Equatable, Sendable {
    var host = "::"
    var timeout = Duration.seconds(30)
    var level = Level.info
    var spool = PrefsByteCount.mebibytes(64)
    var weight = 0.5
    var port: UInt16 = 25
    var tls = TLS()

    struct TLS: Codable, Equatable, Sendable { var minimum = "1.2" }
}

private struct Route: Codable, Equatable, Sendable {
    var host: String
    var timeout: Duration
}

/// A struct that contains itself, and counts how often it is decoded.
private final class Node: Codable, Sendable {
    static let decodings = Atomic(0)

    let value: Int
    let left: Node?
    let right: Node?

    init(value: Int = 0) { (self.value, left, right) = (value, nil, nil) }

    init(from decoder: any Decoder) throws {
        Self.decodings.add(1, ordering: .relaxed)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        value = try container.decodeIfPresent(Int.self, forKey: .value) ?? 0
        left = try container.decodeIfPresent(Node.self, forKey: .left)
        right = try container.decodeIfPresent(Node.self, forKey: .right)
    }

    /// Returns a tree of the given depth with one value in all nodes.
    static func stored(_ value: PrefsValue, depth: Int) -> PrefsValue {
        if depth == 0 { return ["value": value] }
        let child = stored(value, depth: depth - 1)
        return ["value": value, "left": child, "right": child]
    }
}

/// A list of itself, nested as deeply as the file.
private struct Tree: Codable, Equatable, Sendable {
    var name = ""
    var children: [Tree] = []
}

/// Bad values that a person may write into a file by mistake, or on purpose.
///
/// Each one is an error with its place and key. The other values stay effective, and the key falls back to
/// its next lower value.
@Suite struct BadInputTests {
    private let sandbox: PrefsSandbox
    private let path: String

    init() throws {
        sandbox = try PrefsSandbox()
        path = sandbox.root + "/relay"
    }

    private func stack(
        _ text: String, _ format: PrefsFileFormat = .json, over system: [String: PrefsValue] = [:]
    ) throws -> PrefsStack {
        try sandbox.write(text, to: path)
        var options = FilePrefsStorage.Options()
        (options.format, options.diagnostics) = (format, .silent)
        let file = FilePrefsStorage(path: path, options: options)
        return PrefsStack(diagnostics: .silent) {
            PrefsLayer(.system, DictionaryPrefsStorage(values: system))
            PrefsLayer(.user, file)
        }
    }

    private static let duration = #"expected a duration such as "30s" or "1h30m""#
    private static let size = #"expected a size such as "64 KiB", or an integer of bytes"#

    @Test(
        arguments: [
            (
                "level", #""warnin""#,
                #"expected one of "debug", "info", "warning", found the string "warnin"; did you mean “warning”?"#
            ),
            ("level", "2", #"expected one of "debug", "info", "warning", found the integer 2"#),
            ("timeout", #""-5s""#, #"\#(duration), found the string "-5s""#),
            ("timeout", "-5", "\(duration), found the integer -5"),
            (
                "timeout", #""9223372036854775808s""#,
                #"\#(duration), found the string "9223372036854775808s""#
            ),
            (
                "timeout", #""9999999999999999999w 23h""#,
                #"\#(duration), found the string "9999999999999999999w 23h""#
            ),
            ("spool", #""9999999 PiB""#, #"\#(size), found the string "9999999 PiB""#),
            ("spool", "9223372036854775808", "\(size), found the integer 9223372036854775808"),
            ("spool", #""-1 KiB""#, #"\#(size), found the string "-1 KiB""#),
            ("port", "65536", "expected an integer from 0 to 65535, found the integer 65536"),
            ("port", "-1", "expected an integer from 0 to 65535, found the integer -1"),
            ("port", "25.0", "expected an integer, found the real 25.0"),
            ("weight", #""NaN""#, #"expected a real, found the string "NaN""#),
            ("host", #"{"a": 1}"#, "expected a string, found the dictionary {\"a\": 1}"),
            ("tls", #""off""#, #"expected a dictionary, found the string "off""#),
            ("tls", "[1]", "expected a dictionary, found the array [1]"),
        ] as [(String, String, String)])
    func `a wrong field is rejected alone, with its key, file and line`(
        field: String, text: String, complaint: String
    ) throws {
        let stack = try stack(
            """
            {
              "other": 7,
              "relay": {
                "\(field)": \(text),
                "unknown": true
              }
            }
            """, over: ["relay": ["timeout": "1m", "level": "debug", "host": "system"]])
        let resolution = stack.resolution(for: PersistentKey("relay", defaultValue: Relay()))
        #expect(
            resolution.rejected.map(\.description) == [
                "user \(path):4:5: relay.\(field): \(complaint)"
            ])
        #expect(resolution.value == Relay(host: "system", timeout: .seconds(60), level: .debug))
        #expect(stack.get(PersistentKey("other", defaultValue: 0)) == 7)
    }

    @Test(
        arguments: [
            (
                PrefsFileFormat.xmlPropertyList,
                "<plist><dict>\n<key>weight</key>\n<real>nan</real></dict></plist>", "2:1"
            ),
            (.toml, "\nweight = nan", "2:1"),
        ])
    func `a number that is none is outside of every range`(
        format: PrefsFileFormat, text: String, place: String
    ) throws {
        let stack = try stack(text, format, over: ["weight": 0.25])
        let ranges: [PersistentKey<Double>] = [
            PersistentKey("weight", defaultValue: 1, in: 0...1),
            PersistentKey("weight", defaultValue: 1, in: 0...),
            PersistentKey("weight", defaultValue: 1, in: ..<1),
        ]
        for key in ranges {
            let resolution = stack.resolution(for: key)
            #expect(resolution.value == 0.25)
            #expect(resolution.rejected.map(\.code) == [.invalid])
            #expect(resolution.rejected.first?.origin?.file == path)
            #expect(resolution.rejected.first?.origin?.position?.description == place)
        }
        let timeout = stack.resolution(for: PersistentKey("weight", defaultValue: Duration.seconds(1)))
        #expect(timeout.rejected.first?.reason == "\(Self.duration), found the real nan")
    }

    @Test func `a struct in place of a scalar is rejected, and so is the reverse`() throws {
        let stack = try stack(
            #"{"port": {"number": 25}, "relay": 5, "routes": {"host": "a"}}"#,
            over: ["port": 587, "relay": ["host": "system"]])
        let port = stack.resolution(for: PersistentKey("port", defaultValue: 25))
        #expect(port.value == 587)
        #expect(
            port.rejected.map(\.description) == [
                "user \(path):1:2: port: expected an integer, found the dictionary {\"number\": 25}"
            ])
        let relay = stack.resolution(for: PersistentKey("relay", defaultValue: Relay()))
        #expect(relay.value == Relay(host: "system"))
        #expect(
            relay.rejected.map(\.description) == [
                "user \(path):1:26: relay: expected a dictionary, found the integer 5"
            ])
        let routes = stack.resolution(for: PersistentKey("routes", defaultValue: [Route]()))
        #expect(routes.value == [])
        #expect(routes.rejected.map(\.key) == ["routes"])
    }

    @Test func `one wrong element among 100000 structs is named`() throws {
        let routes = (0..<100_000).map { index in
            #"  {"host": "h\#(index)", "timeout": "\#(index == 99_999 ? "soon" : "5s")"}"#
        }
        let stack = try stack(
            "{\"routes\": [\n\(routes.joined(separator: ",\n"))\n], \"port\": 26}",
            over: ["routes": [["host": "system", "timeout": "1s"]]])
        let resolution = stack.resolution(for: PersistentKey("routes", defaultValue: [Route]()))
        #expect(resolution.value == [Route(host: "system", timeout: .seconds(1))])
        #expect(
            resolution.rejected.map(\.description) == [
                "user \(path):100001:22: routes[99999].timeout: \(Self.duration), found the string \"soon\""
            ])
        #expect(stack.get(PersistentKey("port", defaultValue: 25)) == 26)
    }

    @Test func `a struct that contains itself is decoded a limited number of times`() throws {
        let depth = 10
        let nodes = 1 << (depth + 1)
        let key = PersistentKey("tree", defaultValue: Node(value: 1))
        let before = Node.decodings.load(ordering: .relaxed)
        let answer = key.resolve(candidates: [
            PrefsCandidate(Node.stored("wrong", depth: depth)), PrefsCandidate(Node.stored(7, depth: 1)),
        ])
        let decodings = Node.decodings.load(ordering: .relaxed) - before
        #expect(answer.value.value == 7)
        #expect(answer.value.left?.value == 7)
        #expect(answer.winner == 1)
        #expect(answer.rejections.count == FieldMerge<PersistentKey<Node>>.rejectionLimit + 1)
        #expect(answer.rejections.first?.key?.hasPrefix("tree.") == true)
        #expect(answer.rejections.last?.key == "tree")
        #expect(
            answer.rejections.last?.reason
                == "64 of its fields are invalid, so none of its fields is used; fix them")
        #expect(decodings < 2 * nodes * FieldMerge<PersistentKey<Node>>.rejectionLimit)
    }

    @Test(arguments: [10, 1000, 100_000])
    func `nesting beyond the limit is an error at its place, and the last good values stay`(depth: Int) throws
    {
        let key = PersistentKey("tree", defaultValue: Tree())
        let stack = try stack(#"{"tree": {"name": "good"}, "port": 26}"#)
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"name": "a", "children": ["#, count: depth)
                + String(
                    repeating: "]}", count: depth)
        }
        try sandbox.write("{\"port\": 27, \"tree\":\n\(nested(depth))}", to: path)
        stack.reload()
        if depth == 10 {
            #expect(stack.get(key).name == "a")
            #expect(stack.get(PersistentKey("port", defaultValue: 25)) == 27)
            return
        }
        #expect(stack.get(key).name == "good")
        #expect(stack.get(PersistentKey("port", defaultValue: 25)) == 26)
        let problem = stack.status.compactMap(\.problem).first
        #expect(problem?.code == .tooLarge)
        #expect(problem?.origin?.file == path)
        #expect(problem?.origin?.position?.description.hasPrefix("2:") == true)
    }

    @Test func `a text that nests too deeply is rejected, and the value below is effective`() {
        let text = String(repeating: #"{"children": ["#, count: 1000) + String(repeating: "]}", count: 1000)
        let stack = PrefsStack(diagnostics: .silent) {
            PrefsLayer(.user, DictionaryPrefsStorage(values: ["tree": ["name": "user"]]))
            PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "MYD_", environment: ["MYD_TREE": text]))
        }
        let resolution = stack.resolution(for: PersistentKey("tree", defaultValue: Tree()))
        #expect(resolution.value == Tree(name: "user"))
        #expect(resolution.rejected.map(\.origin?.layer) == ["environment"])
        #expect(resolution.rejected.map(\.key) == ["tree"])
    }
}
