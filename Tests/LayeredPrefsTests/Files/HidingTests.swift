import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments
import Testing

@testable import LayeredPrefs

/// A file hides another file of the same name only if it can be read.
@Suite struct HidingTests {
    /// Something unreadable that takes the name of a file; `$f` is the path.
    enum Trouble: String, CaseIterable, Sendable {
        case syntaxError, folder, pipe, circleOfLinks, danglingLink, tooLarge

        func put(at path: String) throws {
            let files = FileManager.default
            let parent = URL(filePath: path).deletingLastPathComponent().path
            try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
            switch self {
            case .syntaxError: try Data("by = \"unterminated\n".utf8).write(to: URL(filePath: path))
            case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: true)
            case .pipe: #expect(unsafe mkfifo(path, 0o600) == 0)
            case .circleOfLinks: try files.createSymbolicLink(atPath: path, withDestinationPath: path)
            case .danglingLink: try files.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
            case .tooLarge:
                #expect(files.createFile(atPath: path, contents: nil))
                #expect(unsafe truncate(path, 70 << 20) == 0)
            }
        }
    }

    @Test(arguments: Trouble.allCases, ["etc/10.toml", "run/10.toml"])
    func `a drop-in that cannot be read leaves the one of its name active`(
        _ trouble: Trouble, _ name: String
    ) throws {
        let daemon = try Daemon()
        for file in ["usr.toml", "usr/10.toml"] { try daemon.write(file) }
        let reported = Recorder.diagnostics(of: daemon.diagnostics)
        let storage = daemon.open()
        try trouble.put(at: daemon.path(name))
        storage.reload()
        #expect(storage.read == ["usr.toml", "usr/10.toml"])
        #expect(
            reported.elements.contains { $0.severity == .error && $0.error.origin?.file == daemon.path(name) }
        )
        #expect(storage.status.contains { $0.file == daemon.path(name) && $0.problem != nil })
        try daemon.remove(name)
        try daemon.write(name)
        storage.reload()
        #expect(storage.read == ["usr.toml", name])
        #expect(!storage.status.contains { $0.problem != nil })
        reported.stop()
    }

    @Test(arguments: Trouble.allCases)
    func `a main file that cannot be read leaves the vendor's active`(_ trouble: Trouble) throws {
        let daemon = try Daemon()
        try daemon.write("usr.toml")
        let storage = daemon.open()
        try trouble.put(at: daemon.path("etc.toml"))
        storage.reload()
        #expect(storage.get(.by) == "usr.toml")
        #expect(storage.status.contains { $0.problem != nil })
    }

    @Test func `nothing is reported of a hidden drop-in until it is not hidden any more`() throws {
        let daemon = try Daemon()
        for file in ["usr.toml", "etc/10.toml"] { try daemon.write(file) }
        try daemon.write("usr/10.toml", "by = \"unterminated\n")
        let reported = Recorder.diagnostics(of: daemon.diagnostics)
        let storage = daemon.open()
        try daemon.write("usr/10.toml", "by = 'another\n")
        storage.reload()
        #expect(reported.elements.map(\.error.reason) == [])
        #expect(!storage.status.contains { $0.problem != nil })
        try daemon.remove("etc/10.toml")
        storage.reload()
        let errors = reported.elements.filter { $0.severity == .error }
        #expect(errors.map(\.error.origin?.file) == [daemon.path("usr/10.toml")])
        reported.stop()
    }

    @Test func `a hidden file that is removed just before the one that hides it is gone`() throws {
        let daemon = try Daemon()
        try daemon.write("etc.toml")
        let storage = FilePrefsStorage(path: daemon.path("etc.toml"), options: daemon.options())
        try daemon.remove("etc.toml")
        // The next reading is to report the file's state anew. It may not believe yet that the file is gone.
        storage.source.withPlace { $0.forgetVersion() }
        storage.reload()
        #expect(storage.value(forKey: "by") == nil)
    }

    @Test func `a mask that is removed makes the vendor's drop-in active again in one step`() throws {
        let daemon = try Daemon()
        for file in ["usr.toml", "usr/10.toml"] { try daemon.write(file) }
        try daemon.mask("etc/10.toml")
        let storage = daemon.open()
        #expect(storage.read == ["usr.toml"])
        let generation = storage.snapshot.generation
        try daemon.remove("etc/10.toml")
        storage.reload()
        #expect(storage.read == ["usr.toml", "usr/10.toml"])
        #expect(storage.snapshot.generation > generation)
    }

    @Test(arguments: [true, false])
    func `what a mask hides is not read when the mask is made again, or gone with it`(isMadeAgain: Bool)
        async throws
    {
        let daemon = try Daemon()
        for file in ["usr.toml", "usr/10.toml"] { try daemon.write(file) }
        try daemon.mask("etc/10.toml")
        let storage = daemon.open(
            watcher: FileWatcher(
                settling: FileSettling(
                    quiet: .seconds(isMadeAgain ? 20 : 2), limit: .seconds(600), longQuiet: .seconds(60))))
        let values = Recorder<String>()
        let observation = storage.observe(.by) { values.record($0.new.value) }
        defer { observation.cancel() }
        if !isMadeAgain { try daemon.remove("usr/10.toml") }
        try daemon.remove("etc/10.toml")
        if isMadeAgain {
            // Give the watcher time to see that the mask is missing. A task that sleeps may resume only after
            // minutes.
            usleep(50_000)
            try daemon.mask("etc/10.toml")
        }
        // This file is read in the same rounds as the drop-ins, or later.
        try daemon.write("etc/20.toml")
        _ = try await values.wait(within: .seconds(300)) { $0.last == "etc/20.toml" }
        if !isMadeAgain {
            try daemon.remove("etc/20.toml")
            _ = try await values.wait(within: .seconds(300)) { $0.last == "usr.toml" }
        }
        #expect(!values.elements.contains("usr/10.toml"))
    }
}
