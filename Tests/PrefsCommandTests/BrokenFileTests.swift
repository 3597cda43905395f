import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsTesting
import Testing

/// Ten ways to break a file. The daemon (which is this process), its log, the doctor, the explanation and the
/// page name the same file, line and key in the same sentence.
@Suite struct BrokenFileTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let name: String
        /// A part of the sentence besides the file.
        let words: String
        var key = "http.port"
        let make: @Sendable (_ file: String) throws -> Void

        var testDescription: String { name }
    }

    private static func text(_ text: String) -> @Sendable (String) throws -> Void {
        { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
    }

    private static let faults = [
        Fault(name: "syntax", words: ":2:", make: text("level = \"info\"\nhttp.port = = 1\n")),
        Fault(
            name: "type", words: ":2:6: http.port: expected an integer, found the string \"many\"",
            make: text("level = \"info\"\nhttp.port = \"many\"\n")),
        Fault(
            name: "range", words: ":2:6: http.port: expected 1...65535, found the integer 70000",
            make: text("level = \"info\"\nhttp.port = 70000\n")),
        Fault(
            name: "unknown key", words: ":1:6: http.prot: unknown key; did you mean “http.port”?",
            key: "http.prot",
            make: text("http.prot = 81\n")),
        Fault(
            name: "duplicate key", words: ":2:6: duplicate key",
            make: text("http.port = 81\nhttp.port = 82\n")),
        Fault(name: "encoding", words: "UTF-8") { file in
            try (Data("# ".utf8) + [0xFF, 0xFE] + Data("\nhttp.port = 81\n".utf8)).write(
                to: URL(fileURLWithPath: file))
        },
        Fault(name: "unreadable", words: "symbolic links") { file in
            // Root cannot read a link to itself either.
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: file)
        },
        Fault(name: "directory in place of a file", words: "regular file") { file in
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        },
        Fault(name: "huge", words: "the limit is 67108864") { file in
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
            try handle.truncate(atOffset: 1 << 32)
        },
    ]

    private static let domain = "com.example.broken"
    private let sandbox: Sandbox
    private let sockets: PrefsSandbox
    private let log = Log()
    private let storage: PrefsStack
    private let inspection: PrefsInspection
    private let pid = "\(ProcessInfo.processInfo.processIdentifier)"
    private let file: String

    private final class Log: @unchecked Sendable {
        // Sendable: `lock` guards `lines`.
        private let lock = NSLock()
        private var lines: [String] = []

        func append(_ line: String) { lock.withLock { lines.append(line) } }

        var all: [String] { lock.withLock { lines } }
    }

    init() throws {
        sandbox = try Sandbox()
        sockets = try PrefsSandbox()
        file = "\(sandbox.root)/xdg/\(Self.domain).toml"
        try sandbox.write(
            Sandbox.schemaText, to: "\(sandbox.root)/share/prefs/schemas/\(Self.domain).schema.json")
        try sandbox.write("level = \"info\"\nhttp.port = 80\n", to: file)
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { [log] in log.append("\($0.error)") }
        storage = PrefsStack.standard(
            domain: Self.domain, environment: sandbox.environment, arguments: [], options: options)
        let port = PersistentKey("http.port", defaultValue: 8080, in: 1...65535)
        let level = PersistentKey("level", defaultValue: "info")
        let keys = [PrefsKeyDescription(port), PrefsKeyDescription(level)]
        storage.declare(port)
        storage.declare(level)
        storage.declare(keys.map(\.names))
        storage.reportUnknownKeys()
        inspection = try storage.serveInspection(domain: Self.domain, keys: keys, in: "\(sockets.root)/prefs")
    }

    private func prefs(_ arguments: String...) throws -> String {
        let run = try sandbox.run(Sandbox.tool, arguments, environment: ["XDG_RUNTIME_DIR": sockets.root])
        return run.output + run.errors
    }

    @Test(arguments: faults)
    func `a broken file is described in the same words everywhere`(fault: Fault) async throws {
        try fault.make(file)
        await storage.reloadAndSettle()
        let logged = log.all.first { $0.contains(file) && $0.contains(fault.words) }
        var line = try #require(logged, "\(log.all)")
        for consequence in [
            "keeping the previous version", "keeping the previous value", "not using this file",
        ] {
            line = line.replacing("; \(consequence)", with: "")
        }
        // Lists of files by layer name the layer in the row, not in the sentence.
        line.replace("system /", with: "/")
        #expect(try prefs("doctor", "--pid", pid).contains(line))
        #expect(try prefs("doctor", "--domain", Self.domain).contains(line))
        let page = try PageRun(
            sandbox, [], layers: ["--domain", Self.domain], environment: ["XDG_RUNTIME_DIR": sockets.root])
        let session = try page.open()
        let subject = "subject=pid:\(pid):\(Self.domain)"
        let explained = [
            try prefs("explain", fault.key, "--pid", pid),
            try prefs("explain", fault.key, "--domain", Self.domain),
            try page.get("/api/explain?\(subject)&key=\(fault.key)", session: session).text,
        ]
        if let separator = line.firstRange(of: "\(fault.key): unknown key") {
            // The row of the layer has the place, and the sentence is about the key.
            for text in explained {
                #expect(text.contains(line[line.firstRange(of: "unknown")!.lowerBound...]))
                #expect(
                    text.contains(
                        line[line.firstRange(of: "/")!.lowerBound..<separator.lowerBound].dropLast(2)))
            }
        } else {
            for text in explained { #expect(text.contains(line)) }
            #expect(try page.get("/api/rejected?\(subject)", session: session).text.contains(line))
        }
    }

    @Test func `a missing folder is an empty layer, and no problem`() async throws {
        try FileManager.default.removeItem(atPath: "\(sandbox.root)/xdg")
        await storage.reloadAndSettle()
        for arguments in [["doctor", "--pid", pid], ["doctor", "--domain", Self.domain]] {
            let run = try sandbox.run(Sandbox.tool, arguments, environment: ["XDG_RUNTIME_DIR": sockets.root])
            #expect(run.output.contains("No problems found."), "\(run)")
        }
        let page = try PageRun(
            sandbox, [], layers: ["--domain", Self.domain], environment: ["XDG_RUNTIME_DIR": sockets.root])
        let session = try page.open()
        let subject = "subject=pid:\(pid):\(Self.domain)"
        for text in [
            try prefs("explain", "http.port", "--domain", Self.domain),
            try prefs("explain", "http.port", "--pid", pid),
            try page.get("/api/explain?\(subject)&key=http.port", session: session).text,
        ] {
            #expect(text.contains("default") && text.contains("8080") && !text.contains(file))
        }
        #expect(!(try page.get("/api/rejected?\(subject)", session: session).text.contains(file)))
    }

    @Test func `a key that JSON has twice is named by the doctor`() throws {
        try FileManager.default.removeItem(atPath: file)
        let json = "\(sandbox.root)/xdg/\(Self.domain).json"
        try sandbox.write("{\"level\": \"info\",\n \"level\": \"debug\"}", to: json)
        let doctor = try prefs("doctor", "--domain", Self.domain)
        #expect(doctor.contains("\(json):2:3: level: duplicate key"), "\(doctor)")
    }
}

extension PageRun.Answer {
    /// The strings in the answer, without the escapes of JSON.
    fileprivate var text: String {
        func strings(_ value: Any) -> [String] {
            switch value {
            case let text as String: [text]
            case let array as [Any]: array.flatMap(strings)
            case let object as [String: Any]: object.values.flatMap(strings)
            default: []
            }
        }
        return strings(object).joined(separator: "\n")
    }
}
