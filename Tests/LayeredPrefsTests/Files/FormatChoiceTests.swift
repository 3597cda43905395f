import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct FormatChoiceTests {
    @Test func `the paths of a name are the given one and the other formats`() {
        // YAML is among them even without its trait, so that a file that the program cannot read is reported.
        let more = ["/a/b.yaml", "/a/b.yml"]
        #expect(
            FormatChoice.paths(for: "/a/b.yml")
                == ["/a/b.yml", "/a/b.plist", "/a/b.json", "/a/b.toml", "/a/b.yaml"])
        #expect(FormatChoice.paths(for: "/a/b.plist") == ["/a/b.plist", "/a/b.json", "/a/b.toml"] + more)
        #expect(FormatChoice.paths(for: "/a/b.toml") == ["/a/b.toml", "/a/b.plist", "/a/b.json"] + more)
        #expect(FormatChoice.paths(for: "/a/b.conf") == ["/a/b.conf"])
        #expect(FormatChoice.paths(for: "/a/.plist") == ["/a/.plist"])
    }

    @Test func `the only file is read, and without any the preferred one`() {
        var choice = FormatChoice(["p", "j", "t"])
        #expect(choice.decide(present: ["t"], isFinal: false, at: .zero) == .read)
        #expect(choice.path == "t")
        #expect(choice.decide(present: [], isFinal: false, at: .zero) == .read)
        #expect(choice.path == "p")
    }

    @Test func `two files are a conflict once they have existed for a while`() throws {
        var choice = FormatChoice(["p", "j", "t"])
        #expect(choice.decide(present: ["t"], isFinal: false, at: .zero) == .read)
        #expect(choice.decide(present: ["p", "t"], isFinal: false, at: .seconds(1)) == .wait)
        #expect(choice.decide(present: ["p", "t"], isFinal: false, at: .milliseconds(1499)) == .wait)
        guard case .conflict(let error) = choice.decide(present: ["p", "t"], isFinal: false, at: .seconds(2))
        else { throw Failure() }
        #expect(error.origin?.file == "p" && error.reason.contains("also t,"))
        // The file in use stays in use.
        #expect(choice.path == "t")
        #expect(choice.decide(present: ["p"], isFinal: false, at: .seconds(3)) == .read)
        #expect(choice.path == "p")
        #expect(choice.decide(present: ["p", "j"], isFinal: false, at: .seconds(4)) == .wait)
    }

    @Test func `a decision that cannot wait finds the conflict at once`() {
        var choice = FormatChoice(["p", "t"])
        guard case .conflict = choice.decide(present: ["p", "t"], isFinal: true, at: .zero) else {
            Issue.record("no conflict")
            return
        }
    }

    private struct Failure: Error {}
}

/// Files with one name in several formats, in one place of the standard stack.
@Suite struct FileFormatsTests {
    private let sandbox: PrefsSandbox
    private let scheduler = VirtualScheduler()
    private let diagnostics = PrefsDiagnosticHandler()

    init() throws { sandbox = try PrefsSandbox() }

    /// Options with a watcher that reports nothing on its own.
    private var options: FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = diagnostics
        options.scheduler = scheduler
        return options
    }

    private func path(_ path: String, _ format: String) -> String {
        path.replacing(".plist", with: ".\(format)")
    }

    private var userTOML: String { path(sandbox.user, "toml") }

    private static let texts: [(format: String, text: String)] = {
        let texts = [("toml", "[http]\nport = 1\n"), ("json", #"{"http": {"port": 1}}"#)]
        #if YAML
            return texts + [("yaml", "http:\n  port: 1\n"), ("yml", "http: {port: 1}\n")]
        #else
            return texts
        #endif
    }()

    @Test(arguments: texts)
    func `every place and drop-in may be in any format`(_ format: String, _ text: String) throws {
        for place in [sandbox.vendor, sandbox.administrator, sandbox.volatile, sandbox.user] {
            let file = path(place, format)
            try sandbox.write(text, to: file)
            #expect(sandbox.standard(options: options).resolution(for: .port).origin?.file == file)
            try sandbox.remove(file)
        }
        let dropIn = "\(sandbox.administrator).d/10.\(format)"
        try sandbox.write(text, to: dropIn)
        let origin = sandbox.standard(options: options).resolution(for: .port).origin
        #expect(origin?.file == dropIn)
        #expect(origin?.position != nil)
    }

    @Test(arguments: texts)
    func `drop-ins belong to the name of the file in its format`(_ format: String, _ text: String) throws {
        for place in [sandbox.vendor, sandbox.administrator, sandbox.volatile] {
            let dropIn = "\(path(place, format)).d/10.\(format)"
            try sandbox.write(text, to: dropIn)
            #expect(sandbox.standard(options: options).resolution(for: .port).origin?.file == dropIn)
            // The drop-in counts whatever the format of the main file.
            try sandbox.write("other = 1\n", to: path(place, "toml"))
            let storage = sandbox.standard(options: options)
            #expect(storage.get(.port) == 1 && storage.snapshot["other"] == 1)
            #expect(storage.status.allSatisfy { $0.problem == nil })
            try sandbox.remove(path(place, "toml"))
            try sandbox.remove("\(path(place, format)).d")
        }
    }

    @Test func `two folders of one name are an error that names both, and the last drop-ins stay`() throws {
        let (old, new) = ("\(sandbox.administrator).d", path(sandbox.administrator, "toml") + ".d")
        try sandbox.write("http.port = 1\n", to: "\(new)/10.toml")
        let storage = sandbox.standard(options: options)
        let reported = Recorder.diagnostics(of: diagnostics)
        try sandbox.write("http.port = 2\n", to: "\(old)/20.toml")
        storage.reload()
        storage.reload()
        #expect(storage.get(.port) == 1)
        let error = try #require(reported.elements.first?.error)
        #expect(reported.elements.count == 1 && error.code == .ambiguous)
        #expect(error.description.contains(old) && error.description.contains(new))
        #expect(storage.status.compactMap(\.problem).map(\.code) == [.ambiguous])
        #expect(throws: PrefsError.self) { try storage.require([.system]) }
        // A program that starts now reads the preferred file, so that no policy is lost.
        let other = sandbox.standard(options: options)
        #expect(other.get(.port) == 2)
        #expect(other.status.compactMap(\.problem).map(\.code) == [.ambiguous])
        try sandbox.remove(new)
        storage.reload()
        #expect(storage.get(.port) == 2)
        #expect(storage.status.allSatisfy { $0.problem == nil })
        reported.stop()
        // The second program reports to the same handler.
        #expect(reported.elements.map(\.severity) == [.error, .error, .recovered])
    }

    @Test func `a folder of drop-ins that is renamed to another format is one listing`() throws {
        let (old, new) = ("\(sandbox.vendor).d", path(sandbox.vendor, "toml") + ".d")
        try sandbox.write("http.port = 1\n", to: "\(old)/10.toml")
        let storage = sandbox.standard(options: options)
        try FileManager.default.moveItem(atPath: old, toPath: new)
        storage.reload()
        #expect(storage.resolution(for: .port).origin?.file == "\(new)/10.toml")
        try sandbox.write("http.port = 2\n", to: "\(new)/10.toml")
        storage.reload()
        #expect(storage.get(.port) == 2)
        // A mask in a folder of one format hides a drop-in in a folder of another format.
        let masks = path(sandbox.administrator, "json") + ".d"
        try FileManager.default.createDirectory(atPath: masks, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(masks)/10.toml", withDestinationPath: "/dev/null")
        storage.reload()
        #expect(storage.get(.port) == 80)
    }

    @Test func `a folder without drop-ins counts as absent`() throws {
        let (package, site) = ("\(sandbox.administrator).d", path(sandbox.administrator, "toml") + ".d")
        try sandbox.write("http.port = 1\n", to: "\(site)/10.toml")
        let storage = sandbox.standard(options: options)
        // None of these files is a drop-in.
        for name in ["README", ".20.toml", "20.toml~"] {
            try sandbox.write("http.port = 2\n", to: "\(package)/\(name)")
        }
        storage.reload()
        for storage in [storage, sandbox.standard(options: options)] {
            #expect(storage.get(.port) == 1)
            #expect(storage.status.allSatisfy { $0.problem == nil })
        }
        try sandbox.write("http.port = 3\n", to: "\(package)/30.toml")
        storage.reload()
        #expect(storage.get(.port) == 1)
        #expect(storage.status.compactMap(\.problem).map(\.code) == [.ambiguous])
        try sandbox.remove("\(site)/10.toml")
        storage.reload()
        #expect(storage.resolution(for: .port).origin?.file == "\(package)/30.toml")
        #expect(storage.status.allSatisfy { $0.problem == nil })
    }

    @Test func `a drop-in is seen in whichever of several folders`() async throws {
        let folders = ["\(sandbox.administrator).d", path(sandbox.administrator, "toml") + ".d"]
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        let storage = sandbox.standard(options: options)
        let changes = Recorder<PrefsChange<Int>>()
        changes.keep(storage.observe(.port, changes.record))
        for (index, folder) in folders.enumerated() {
            try sandbox.write("http.port = \(index + 1)\n", to: "\(folder)/10.toml")
            _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == index + 1 }
            try sandbox.remove("\(folder)/10.toml")
            _ = try await changes.wait(within: .seconds(60)) { $0.last?.new.value == 80 }
        }
        changes.stop()
    }

    @Test func `a second folder that stays is reported without a reload`() async throws {
        try sandbox.write("http.port = 1\n", to: "\(sandbox.vendor).d/10.toml")
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        let storage = sandbox.standard(options: options)
        let reported = Recorder.diagnostics(of: diagnostics)
        try sandbox.write("http.port = 2\n", to: path(sandbox.vendor, "json") + ".d/20.toml")
        let first = try await reported.wait(within: .seconds(60)) { !$0.isEmpty }
        #expect(first.map(\.error.code) == [.ambiguous])
        #expect(storage.get(.port) == 1)
        reported.stop()
    }

    @Test func `locks hold whatever the format`() throws {
        try sandbox.write("http.port = 1\n", to: path(sandbox.administrator, "toml"))
        try sandbox.write("http.*\n", to: path(sandbox.administrator, "locks"))
        try sandbox.write("http.port = 2\n", to: userTOML)
        let storage = sandbox.standard(options: options)
        #expect(storage.get(.port) == 1)
        #expect(throws: PrefsError.self) { try storage.set(.port, to: 3) }
    }

    @Test func `a write goes to the file there is, and a first one to the preferred format`() throws {
        try sandbox.write("# mine\nother = 1\n", to: userTOML)
        let storage = sandbox.standard(options: options)
        try storage.set(.port, to: 3)
        let text = try String(contentsOfFile: userTOML, encoding: .utf8)
        #expect(text.hasPrefix("# mine\nother = 1\n") && text.contains("port = 3"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
        try sandbox.remove(userTOML)
        storage.reload()
        #expect(storage.get(.port) == 80)
        try storage.set(.port, to: 4)
        #expect(storage.resolution(for: .port).origin?.file == sandbox.user)
    }

    @Test func `a file that has just been created without contents can be written`() throws {
        try sandbox.write("", to: userTOML)
        let storage = sandbox.standard(options: options)
        try storage.set(.port, to: 3)
        #expect(storage.resolution(for: .port).origin?.file == userTOML)
    }

    @Test func `a write finds a file that was converted unnoticed`() throws {
        try sandbox.write(["http": ["port": 1]], to: sandbox.user)
        let storage = sandbox.standard(options: options)
        try sandbox.write("other = true\n[http]\nport = 1\n", to: userTOML)
        try sandbox.remove(sandbox.user)
        try storage.set(.port, to: 5)
        #expect(try String(contentsOfFile: userTOML, encoding: .utf8) == "other = true\n[http]\nport = 5\n")
        #expect(!FileManager.default.fileExists(atPath: sandbox.user))
        #expect(storage.resolution(for: .port).origin?.file == userTOML)
        #expect(storage.snapshot["other"] == true)
    }

    #if YAML
        @Test func `a write to a YAML file changes one line, and two extensions of one format are an error`()
            throws
        {
            let (file, other) = (path(sandbox.user, "yaml"), path(sandbox.user, "yml"))
            try sandbox.write("# mine\nhttp: # server\n  port: 1\n", to: file)
            let storage = sandbox.standard(options: options)
            try storage.set(.port, to: 3)
            #expect(
                try String(contentsOfFile: file, encoding: .utf8) == "# mine\nhttp: # server\n  port: 3\n")
            #expect(storage.resolution(for: .port).origin?.position == .line(3, column: 3))
            try sandbox.write("http: {port: 4}\n", to: other)
            storage.reload()
            let error = #expect(throws: PrefsError.self) { try storage.set(.port, to: 5) }
            #expect(error?.code == .ambiguous && error?.description.contains(other) == true)
            #expect(storage.get(.port) == 3)
        }

        @Test func `a write that would change an alias is rejected with the file and the line`() throws {
            let file = path(sandbox.user, "yaml")
            try sandbox.write("http: &http\n  port: 1\nother: *http\n", to: file)
            let storage = sandbox.standard(options: options)
            let error = #expect(throws: PrefsError.self) { try storage.set(.port, to: 3) }
            #expect(error?.code == .unsupported && error?.key == "http.port")
            #expect(error?.description.contains("\(file):1:1") == true, "\(error as Any)")
            #expect(storage.get(.port) == 1)
        }
    #endif

    @Test func `two formats of one name are an error that names both, and the last contents stay`() throws {
        try sandbox.write("http.port = 1\n", to: userTOML)
        let storage = sandbox.standard(options: options)
        let reported = Recorder.diagnostics(of: diagnostics)
        try sandbox.write(["http": ["port": 2]], to: sandbox.user)
        storage.reload()
        storage.reload()
        #expect(storage.get(.port) == 1)
        let error = try #require(reported.elements.first?.error)
        #expect(reported.elements.count == 1 && error.code == .ambiguous)
        #expect(error.description.contains(sandbox.user) && error.description.contains(userTOML))
        #expect(storage.status.compactMap(\.problem).map(\.code) == [.ambiguous])
        #expect { try storage.set(.port, to: 9) } throws: { ($0 as? PrefsError)?.code == .ambiguous }
        #expect(throws: PrefsError.self) { try storage.require([.user]) }
        // An edit of the file in use does not count during the conflict either.
        try sandbox.write("http.port = 3\n", to: userTOML)
        storage.reload()
        #expect(storage.get(.port) == 1)
        try sandbox.remove(sandbox.user)
        storage.reload()
        #expect(storage.get(.port) == 3)
        #expect(reported.elements.map(\.severity) == [.error, .recovered])
        reported.stop()
    }

    @Test func `two formats that appear together where no file was are an error, and nothing is read`() throws
    {
        try sandbox.write(["http": ["port": 1]], to: sandbox.administrator)
        let storage = sandbox.standard(options: options)
        let reported = Recorder.diagnostics(of: diagnostics)
        try sandbox.write(["http": ["port": 77]], to: sandbox.user)
        try sandbox.write("http.port = 78\n", to: userTOML)
        storage.reload()
        storage.reload()
        #expect(reported.elements.map(\.error.code) == [.ambiguous])
        #expect(storage.get(.port) == 1)
        reported.stop()
    }

    @Test func `at start the preferred one of two is effective, so that no policy is lost`() throws {
        try sandbox.write(["http": ["port": 1]], to: sandbox.administrator)
        try sandbox.write("http.port = 2\n", to: path(sandbox.administrator, "toml"))
        try sandbox.write("http.port\n", to: path(sandbox.administrator, "locks"))
        try sandbox.write("http.port = 3\n", to: userTOML)
        let reported = Recorder.diagnostics(of: diagnostics)
        let storage = sandbox.standard(options: options)
        #expect(reported.elements.map(\.error.code) == [.ambiguous])
        #expect(storage.get(.port) == 1)
        #expect(storage.resolution(for: .port).lock != nil)
        #expect(storage.status.compactMap(\.problem).map(\.code) == [.ambiguous])
    }

    @Test func `a drop-in that changes its format is one change, and two formats are an error`() async throws
    {
        let (old, new) = ("\(sandbox.vendor).d/10.plist", "\(sandbox.vendor).d/10.toml")
        try sandbox.write(["http": ["port": 1]], to: old)
        let storage = sandbox.standard(options: options)
        let changes = Recorder<PrefsChange<Int>>()
        changes.keep(storage.observe(.port, changes.record))
        let reported = Recorder.diagnostics(of: diagnostics)
        try sandbox.write("http.port = 2\n", to: new)
        storage.reload()
        #expect(storage.get(.port) == 1)
        #expect(reported.elements.map(\.error.code) == [.ambiguous])
        try sandbox.remove(old)
        storage.reload()
        #expect(storage.resolution(for: .port).origin?.file == new)
        #expect(reported.elements.map(\.severity) == [.error, .recovered])
        try sandbox.write(#"{"http": {"port": 3}}"#, to: "\(sandbox.vendor).d/10.json")
        try sandbox.remove(new)
        storage.reload()
        #expect(storage.get(.port) == 3)
        await storage.reloadAndSettle()
        changes.stop()
        reported.stop()
        #expect(changes.elements.map(\.new.value) == [2, 3])
    }

    @Test func `a mask hides a drop-in whatever its format`() throws {
        try sandbox.write("http.port = 1\n", to: "\(sandbox.vendor).d/10.toml")
        try sandbox.write("other = 1\n", to: "\(sandbox.administrator).d/x.toml")
        try FileManager.default.createSymbolicLink(
            atPath: "\(sandbox.administrator).d/10.plist", withDestinationPath: "/dev/null")
        let storage = sandbox.standard(options: options)
        #expect(storage.get(.port) == 80)
        #expect(storage.snapshot["other"] == 1)
    }

    @Test func `a file given by its path alone has one format`() throws {
        try sandbox.write("http.port = 1\n", to: userTOML)
        #expect(FilePrefsStorage(path: sandbox.user, options: options).get(.port) == 80)
    }

    @Test(arguments: [true, false])
    func `a watched file that changes its format is one change`(_ createsFirst: Bool) async throws {
        try sandbox.write(["http": ["port": 1], "a": 1], to: sandbox.user)
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        // The scheduler's time stands still, so that the two steps never count as a conflict, however long
        // they take.
        options.scheduler = scheduler
        // With the long quiet time, a busy machine does not read the file as removed between the two steps.
        options.watcher = FileWatcher(settling: FileSettling(quiet: .seconds(5), limit: .seconds(10)))
        let storage = sandbox.standard(options: options)
        let (changes, reported) = (Recorder<PrefsChange<Int>>(), Recorder.diagnostics(of: diagnostics))
        changes.keep(storage.observe(.port, changes.record))
        if !createsFirst { try sandbox.remove(sandbox.user) }
        try sandbox.write("http.port = 2\na = 1\n", to: userTOML)
        if createsFirst { try sandbox.remove(sandbox.user) }
        _ = try await changes.wait(within: .seconds(60)) { !$0.isEmpty }
        await storage.reloadAndSettle()
        changes.stop()
        reported.stop()
        #expect(changes.elements.map(\.new.value) == [2])
        #expect(changes.elements.first?.new.origin?.file == userTOML)
        #expect(reported.elements.isEmpty)
    }

    @Test func `a second format that stays is reported without a reload`() async throws {
        try sandbox.write(["http": ["port": 1]], to: sandbox.user)
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        let storage = sandbox.standard(options: options)
        let reported = Recorder.diagnostics(of: diagnostics)
        try sandbox.write("http.port = 2\n", to: userTOML)
        let first = try await reported.wait(within: .seconds(60)) { !$0.isEmpty }
        #expect(first.map(\.error.code) == [.ambiguous])
        #expect(storage.get(.port) == 1)
        reported.stop()
    }

    @Test func `a folder that cannot be searched is no conflict`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder["loop"], withDestinationPath: folder["loop"])
        var choice = FormatChoice(FormatChoice.paths(for: folder["loop/a.toml"]))
        #expect(choice.decide(isFinal: true, at: .zero, isPresent) == .read)
        #expect(choice.path == folder["loop/a.toml"])
        var options = FilePrefsStorage.Options()
        options.acceptsOtherFormats = true
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        let storage = FilePrefsStorage(path: folder["loop/a.toml"], options: options)
        #expect(storage.status.first?.problem?.code == .unreadable)
    }
}
