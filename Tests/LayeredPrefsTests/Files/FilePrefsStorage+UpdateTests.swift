import FileWatching
import PrefsDocuments
import TestSupport
import Testing

@testable import LayeredPrefs

struct FilePrefsStorageUpdateTests {
    private let folder: TemporaryFolder
    private var path: String { folder["f.json"] }

    init() throws { folder = try TemporaryFolder() }

    private var content: [String: PrefsValue] {
        get throws { try PrefsDocument(parsing: folder.read("f.json"), as: .json).content }
    }

    @Test func `a diagnostic names the copy of a broken file that is replaced`() throws {
        try folder.write("precious", to: "f.json.broken")
        try folder.write(#"{"n": "#, to: "f.json")
        let (diagnostics, reasons) = (PrefsDiagnosticHandler(), Log<String>())
        let subscription = diagnostics.subscribe { reasons.add($0.error.reason) }
        var options = FilePrefsStorage.Options()
        (options.writing.replacesBroken, options.diagnostics) = (true, diagnostics)
        let storage = FilePrefsStorage(path: path, options: options)
        try storage.update { $0["n"] = 1 }
        #expect(try content == ["n": 1])
        #expect(reasons.all.contains("the broken contents are kept as \(folder["f.json.broken.1"])"))
        #expect(try folder.read("f.json.broken") == Array("precious".utf8))
        subscription.cancel()
    }

    @Test func `a preview is in the format of the file, whatever its name`() throws {
        try folder.write("n = 1 # one\n", to: "f.json")
        var options = FilePrefsStorage.Options()
        options.format = .toml
        let preview = try FilePrefsStorage(path: path, options: options).preview([(key: "n", value: 2)])
        #expect(preview.after == Array("n = 2 # one\n".utf8))
    }

    @Test func `updates by several threads lose nothing`() throws {
        try folder.write(#"{"n": 0}"#, to: "f.json")
        let storage = FilePrefsStorage(path: path)
        let failures = Tally()
        concurrently(4) { _ in
            for _ in 0..<50 {
                do {
                    try storage.update { content in
                        if case .integer(let n)? = content["n"] { content["n"] = .integer(n + 1) }
                    }
                } catch { failures.add() }
            }
        }
        #expect(failures.count == 0)
        #expect(try content == ["n": 200])
        #expect(storage.snapshot["n"] == 200)
    }

    /// Each storage has its own contents, as in two processes.
    @Test func `updates by two storages of one file lose nothing`() throws {
        try folder.write("{}", to: "f.json")
        let failures = Tally()
        concurrently(2) { writer in
            let storage = FilePrefsStorage(path: path)
            for index in 0..<100 {
                do {
                    try storage.update { content in
                        var http = content["http"]?.dictionary ?? [:]
                        http["k\(writer).\(index)"] = true
                        content["http"] = .dictionary(http)
                    }
                } catch { failures.add() }
            }
        }
        #expect(failures.count == 0)
        #expect(try content["http"]?.dictionary?.count == 200)
    }

    @Test func `an edit that this process has not read yet is kept`() throws {
        try folder.write(#"{"http": {"port": 1, "host": "a"}}"#, to: "f.json")
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()))
        let storage = FilePrefsStorage(path: path, options: options)
        try folder.write(#"{"http": {"port": 1, "host": "b"}, "new": true}"#, to: "f.json")
        try storage.update { content in
            content["http"] = .dictionary((content["http"]?.dictionary ?? [:]).merging(["port": 2]) { $1 })
        }
        #expect(try content == ["http": ["port": 2, "host": "b"], "new": true])
        #expect(storage.snapshot["new"] == true)
    }

    /// An editor that does not lock the file saves it during an update.
    @Test func `an update is repeated for what another program saves meanwhile`() throws {
        try folder.write(#"{"n": 1}"#, to: "f.json")
        let storage = FilePrefsStorage(path: path)
        var rounds = 0
        try storage.update { content in
            rounds += 1
            if rounds == 1 { try folder.write(#"{"n": 10}"#, to: "f.json") }
            if case .integer(let n)? = content["n"] { content["n"] = .integer(n + 1) }
        }
        #expect(rounds == 2)
        #expect(try content == ["n": 11])
    }

    @Test func `comments and values that do not differ stay as they are`() throws {
        let before = "<plist><dict><key>a</key><dict><!-- one --><key>b</key><integer>1</integer>"
        let after = "<key>c</key><integer>2</integer></dict></dict></plist>"
        try folder.write(before + after, to: "f.plist")
        try FilePrefsStorage(path: folder["f.plist"]).update { content in
            content["a"] = .dictionary((content["a"]?.dictionary ?? [:]).merging(["b": 7]) { $1 })
        }
        let text = String(decoding: try folder.read("f.plist"), as: UTF8.self)
        #expect(text == before.replacing("<integer>1<", with: "<integer>7<") + after)
    }

    @Test func `an error of the body leaves the file as it is`() throws {
        struct Failure: Error {}
        try folder.write(#"{"n": 1}"#, to: "f.json")
        let storage = FilePrefsStorage(path: path)
        #expect(throws: Failure.self) {
            try storage.update { content in
                content["n"] = 2
                throw Failure()
            }
        }
        #expect(try content == ["n": 1])
        #expect(folder.names == [".f.json.lock", "f.json"])
    }

    @Test func `an update that removes the only key of a missing file creates no file`() throws {
        try FilePrefsStorage(path: path).update { $0["a"] = nil }
        #expect(!folder.names.contains("f.json"))
    }
}
