import FileWatching
import FoundationEssentials
import Glibc
import LayeredPrefsTesting
import PrefsFiles
import PrefsSystem
import Testing

@testable import LayeredPrefs

/// A directory of files, and a storage that reads it.
private struct Mount {
    let sandbox: PrefsSandbox
    let storage: DirectoryPrefsStorage
    let reported: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    var path: String { sandbox.root + "/mount" }

    init(
        _ files: [String: String] = [:], fileSize: Int = 1 << 20, fileCount: Int = 10_000,
        policy: PrefsFilePolicy = .any, _ prepare: (String) throws -> Void = { _ in }
    ) throws {
        sandbox = try PrefsSandbox()
        for (name, text) in files { try sandbox.write(text, to: "\(sandbox.root)/mount/\(name)") }
        try prepare(sandbox.root + "/mount")
        var options = DirectoryPrefsStorage.Options()
        (options.fileSize, options.fileCount, options.policy) = (fileSize, fileCount, policy)
        (options.diagnostics, reported, subscription) = Recorder.recording()
        storage = .directory(at: sandbox.root + "/mount", options: options)
    }

    func write(_ text: String, to name: String) throws { try sandbox.write(text, to: "\(path)/\(name)") }
}

@Suite struct DirectoryPrefsStorageTests {
    private let token = PersistentKey("token", defaultValue: "none", .secret)
    private let port = PersistentKey("http.port", defaultValue: 80, in: 1...65535)

    @Test(arguments: PrefsStorageContract.checks)
    func `satisfies the contract`(_ check: PrefsStorageContract.Check) async throws {
        try await check.run { content in
            var texts: [String: String] = [:]
            for (key, value) in content { if case .string(let text) = value { texts[key] = text + "\n" } }
            let mount = try Mount(texts)
            return PrefsStorageSubject(
                mount.storage, place: mount.sandbox,
                edit: { content in
                    for name in try FileManager.default.contentsOfDirectory(atPath: mount.path)
                    where content[name] == nil {
                        try mount.sandbox.remove("\(mount.path)/\(name)")
                    }
                    for (key, value) in content {
                        if case .string(let text) = value { try mount.write(text, to: key) }
                    }
                })
        }
    }

    @Test func `a file is a value of the key's type`() throws {
        let mount = try Mount(["token": "s3cret\n", "http.port": "8080", "two": "a\n\n", "empty": ""])
        let stack = PrefsStack { PrefsLayer("secrets", mount.storage) }
        #expect(stack.get(token) == "s3cret")
        #expect(stack.get(port) == 8080)
        #expect(stack.get(PersistentKey("two", defaultValue: "")) == "a\n")
        #expect(stack.get(PersistentKey("empty", defaultValue: "x")) == "")
        let origin = stack.resolution(for: port).origin
        #expect(origin?.layer == "secrets")
        #expect(origin?.file == mount.path + "/http.port")
    }

    @Test func `at the start, a rule over several keys names a file of a directory, and takes nothing away`()
        throws
    {
        let mount = try Mount(["low": "900", "high": "3"])
        let (low, high) = (
            PersistentKey("low", defaultValue: 1), PersistentKey("high", defaultValue: 5)
        )
        let (diagnostics, reported, subscription) = Recorder<PrefsDiagnostic>.recording()
        let stack = PrefsStack(diagnostics: diagnostics) { PrefsLayer("config", mount.storage) }
        stack.constrain(low, high) { $0 <= $1 ? nil : "expected low ≤ high" }
        #expect(stack.get(low) == 900 && stack.get(high) == 3)
        #expect(stack.resolution(for: low).rejected.isEmpty)
        #expect(
            reported.elements.map(\.description) == [
                "error: config \(mount.path)/low: low, high: expected low ≤ high"
            ])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a text that the type rejects is reported with its file`() throws {
        let mount = try Mount(["http.port": "many"])
        let stack = PrefsStack { PrefsLayer("config", mount.storage) }
        let resolution = stack.resolution(for: port)
        #expect(resolution.value == 80)
        #expect(
            resolution.rejected.first?.description == """
                config \(mount.path)/http.port: http.port: expected an integer, found the string "many"
                """)
    }

    @Test func `hidden files and folders are ignored, links are followed`() throws {
        let mount = try Mount([".hidden": "x", "token": "a"]) { path in
            try FileManager.default.createDirectory(
                atPath: path + "/folder", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "token")
            try FileManager.default.createSymbolicLink(
                atPath: path + "/dangling", withDestinationPath: "none")
        }
        #expect(mount.storage.snapshot.keys == ["token", "link"])
        #expect(mount.reported.elements.isEmpty)
    }

    @Test func `a pipe is reported, and a folder that replaces a file keeps its value`() async throws {
        let mount = try Mount(["token": "good"]) { path in
            #expect(unsafe mkfifo(path + "/pipe", 0o600) == 0)
        }
        #expect(mount.storage.snapshot.keys == ["token"])
        let reported = try await mount.reported.wait { !$0.isEmpty }
        #expect(reported.map(\.error.origin?.file) == [mount.path + "/pipe"])
        let link = mount.sandbox.root + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: mount.path)
        #expect(unsafe rename(link, mount.path + "/token") == 0)
        mount.storage.reload()
        mount.storage.reload()
        #expect(mount.storage.get(token) == "good")
        #expect(
            try await mount.reported.wait { $0.count > 1 }.map(\.error.code)
                == [.notARegularFile, .notARegularFile])
        #expect(mount.storage.status.first?.problem?.code == .notARegularFile)
    }

    @Test func `a swap of the data folder is one change`() async throws {
        func version(_ name: String, _ value: String, in path: String) throws {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(name)", withIntermediateDirectories: true)
            for key in ["first", "second"] {
                try Data(value.utf8).write(to: URL(filePath: "\(path)/\(name)/\(key)"))
            }
        }
        let mount = try Mount { path in
            try version("..1", "1", in: path)
            try FileManager.default.createSymbolicLink(atPath: "\(path)/..data", withDestinationPath: "..1")
            for key in ["first", "second"] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(path)/\(key)", withDestinationPath: "..data/\(key)")
            }
        }
        let stack = PrefsStack { PrefsLayer("config", mount.storage) }
        let (first, second) = (
            PersistentKey("first", defaultValue: 0), PersistentKey("second", defaultValue: 0)
        )
        #expect(stack.snapshot.get(first, second) == (1, 1))
        let changes = Recorder.changeSets(in: stack)
        try version("..2", "2", in: mount.path)
        try FileManager.default.createSymbolicLink(
            atPath: mount.path + "/..new", withDestinationPath: "..2")
        #expect(unsafe rename(mount.path + "/..new", mount.path + "/..data") == 0)
        let received = try await changes.wait { !$0.isEmpty }
        #expect(received.count == 1)
        #expect(stack.snapshot.get(first, second) == (2, 2))
    }

    @Test func `a directory that is swapped while it is read is never a mixture`() throws {
        let names = (0..<300).map { "key\($0)" }
        let mount = try Mount { path in
            for version in ["a", "b"] {
                try FileManager.default.createDirectory(
                    atPath: "\(path)/..\(version)", withIntermediateDirectories: true)
                for name in names {
                    try Data(version.utf8).write(to: URL(filePath: "\(path)/..\(version)/\(name)"))
                }
            }
            try FileManager.default.createSymbolicLink(atPath: "\(path)/..data", withDestinationPath: "..a")
            for name in names {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(path)/\(name)", withDestinationPath: "..data/\(name)")
            }
        }
        let isDone = Lock(false)
        let hasBegun = BlockingPromise<Void>()
        let swapping = BackgroundThread.startJoinable(named: "swapping") { [path = mount.path] in
            var count = 0
            while !isDone.withLock({ $0 }) {
                count += 1
                // Use another text each time, as Kubernetes does for its revisions, even if a reading takes long.
                let (version, number) = (count % 2 == 0 ? "..a" : "..b", count / 2)
                let slashes = String(repeating: "/", count: 1 + number / 1_000 % 1_000)
                let target = String(repeating: "./", count: number % 1_000) + "." + slashes + version
                _ = unsafe symlink(target, "\(path)/..new")
                _ = unsafe rename("\(path)/..new", "\(path)/..data")
                if count == 2 { hasBegun.open(()) }
                // A reading takes several swaps. With more of them, the watcher's thread, which all tests
                // share, would do nothing else: for minutes, in a debug build on two processors.
                usleep(500)
            }
        }
        hasBegun.wait()
        for _ in 0..<5 {
            mount.storage.reload()
            #expect(Set(mount.storage.snapshot.dictionary.values).count == 1)
        }
        isDone.withLock { $0 = true }
        if let swapping { BackgroundThread.join(swapping) }
        mount.storage.reload()
        #expect(Set(mount.storage.snapshot.dictionary.values).count == 1)
    }

    @Test func `a file edited in place, added or removed is a change`() async throws {
        let mount = try Mount(["token": "a"])
        let values = Recorder<String>()
        let token = token
        values.keep(mount.storage.observe(token) { values.record($0.new.value) })
        try Data("ab".utf8).write(to: URL(filePath: mount.path + "/token"))
        #expect(try await values.wait { $0.last == "ab" }.last == "ab")
        try mount.sandbox.remove(mount.path + "/token")
        #expect(try await values.wait { $0.last == "none" }.last == "none")
        try mount.write("c\n", to: "token")
        #expect(try await values.wait { $0.last == "c" }.last == "c")
    }

    @Test func `a directory that is created later is read`() async throws {
        let mount = try Mount()
        #expect(mount.storage.snapshot.keys.isEmpty)
        let values = Recorder<Int>()
        let port = port
        let stack = PrefsStack { PrefsLayer("config", mount.storage) }
        values.keep(stack.observe(port) { values.record($0.new.value) })
        try mount.write("81", to: "http.port")
        #expect(try await values.wait { !$0.isEmpty } == [81])
    }

    @Test(arguments: [[0xFF, 0xFE], [UInt8](repeating: 0x61, count: 20)])
    func `a bad file keeps its last good value and is reported once`(bytes: [UInt8]) async throws {
        let mount = try Mount(["token": "good"], fileSize: 10)
        try mount.sandbox.write(bytes: bytes, to: mount.path + "/token")
        mount.storage.reload()
        mount.storage.reload()
        #expect(mount.storage.get(token) == "good")
        // The watcher's thread may have found the problem first, and may not have reported it yet.
        #expect(try await mount.reported.wait { !$0.isEmpty }.map(\.severity) == [.error])
        #expect(mount.reported.elements.first?.error.origin?.file == mount.path + "/token")
        #expect(mount.storage.status.first?.problem != nil)
        try mount.write("new", to: "token")
        mount.storage.reload()
        #expect(mount.storage.snapshot.candidates(forKey: "token").first?.value == "new")
        #expect(try await mount.reported.wait { $0.count > 1 }.map(\.severity) == [.error, .recovered])
        #expect(mount.storage.status.first?.problem == nil)
    }

    @Test func `a file that others may write is not trusted`() async throws {
        let mount = try Mount(["token": "a", "http.port": "81"], policy: .trusted) { path in
            #expect(unsafe chmod(path + "/token", 0o644) == 0)
            #expect(unsafe chmod(path + "/http.port", 0o666) == 0)
        }
        #expect(mount.storage.get(token) == "a")
        #expect(mount.storage.get(port) == 80)
        // The watcher's thread may have found the file first, and may not have reported it yet.
        #expect(try await mount.reported.wait { !$0.isEmpty }.map(\.error.code) == [.untrusted])
        #expect(mount.reported.elements.first?.error.origin?.file == mount.path + "/http.port")
        #expect(unsafe chmod(mount.path + "/http.port", 0o644) == 0)
        mount.storage.reload()
        // The watcher's thread may have found the change first, and may not have reported it yet.
        #expect(try await mount.reported.wait { $0.count > 1 }.map(\.severity) == [.error, .recovered])
        #expect(mount.storage.snapshot.candidates(forKey: "http.port").first?.value == "81")
        #expect(unsafe chmod(mount.path + "/token", 0o622) == 0)
        try Data("evil".utf8).write(to: URL(filePath: mount.path + "/token"))
        mount.storage.reload()
        #expect(mount.storage.get(token) == "a")
    }

    @Test func `a file that has not changed is not read again`() throws {
        let mount = try Mount(["first": "1", "second": "2"])
        func known(_ name: String) -> TextFile {
            TextFile(
                text: "known", signature: FileSignature(path: "\(mount.path)/\(name)"), isSettled: true)
        }
        let before = DirectoryScan(["first": known("first"), "second": known("second")])
        try mount.write("22", to: "second")
        let scan = DirectoryScan(of: mount.path, keeping: before, fileCount: 10, TextFile.Limits())
        #expect(scan.files.mapValues(\.text) == ["first": "known", "second": "22"])
    }

    @Test func `the number of files is limited`() async throws {
        let mount = try Mount(["a": "1", "b": "2", "c": "3"], fileCount: 2)
        #expect(mount.storage.snapshot.keys == ["a", "b"])
        #expect(try await mount.reported.wait { !$0.isEmpty }.map(\.error.code) == [.tooLarge])
    }

    @Test func `a name that is not UTF-8 is reported`() async throws {
        let mount = try Mount(["a": "1"]) { path in
            let name = Array("\(path)/".utf8CString.dropLast()) + [-1, 0]
            close(unsafe open(name, O_CREAT | O_WRONLY, 0o600))
        }
        #expect(mount.storage.snapshot.keys == ["a"])
        #expect(try await mount.reported.wait { !$0.isEmpty }.map(\.error.code) == [.unsupported])
    }

    @Test func `the observers of a directory may reload it`() async throws {
        let mount = try Mount(["token": "a"])
        let seen = Recorder<String>()
        let (token, storage) = (token, mount.storage)
        seen.keep(
            storage.observe(token) { change in
                storage.reload()
                seen.record(change.new.value)
            })
        try mount.write("b", to: "token")
        storage.reload()
        #expect(storage.get(token) == "b")
        // The watcher's thread may have found the edit first, and may not have notified yet.
        #expect(try await seen.wait { !$0.isEmpty } == ["b"])
    }

    @Test func `it cannot be written`() throws {
        let mount = try Mount(["token": "a"])
        #expect(throws: PrefsError.self) { try mount.storage.set(token, to: "b") }
        #expect(!mount.storage.isWritable)
    }

    @Test func `a second stack does not take the edits of the first one`() throws {
        let mount = try Mount(["token": "a"])
        let changes = mount.storage.changeSource
        let stack = PrefsStack { PrefsLayer("mount", mount.storage) }
        let queue = stack.changes.reloads
        #expect(changes?.reloads === queue)
        let next = stack.reopened()
        #expect(next.snapshot["token"] == "a")
        #expect(next.layers[0].storage !== mount.storage)
        let second = PrefsStack { PrefsLayer("mount", mount.storage) }
        #expect(changes?.reloads === queue)
        extendLifetime((stack, next, second))
    }
}
