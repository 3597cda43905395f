import FileWatching
import FoundationEssentials
import Glibc
import LayeredPrefsTesting
import PrefsFiles
import Synchronization
import Testing

@testable import LayeredPrefs

/// A stack with secrets in files that variables name, above a layer in memory.
private struct Mounts {
    let sandbox: PrefsSandbox
    let storage: EnvironmentPrefsStorage
    let stack: PrefsStack
    let reported: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    var token: String { sandbox.root + "/token" }
    var credentials: String { sandbox.root + "/credentials" }

    init(
        policy: PrefsFilePolicy = .any, namesToken: Bool = true, isWatched: Bool = true,
        _ prepare: (PrefsSandbox) throws -> Void = { _ in }
    ) throws {
        sandbox = try PrefsSandbox()
        try prepare(sandbox)
        var options = EnvironmentPrefsStorage.Options()
        options.policy = policy
        // Without a watcher, only the test itself triggers the reading of edits.
        if !isWatched { options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil) }
        (options.diagnostics, reported, subscription) = Recorder.recording()
        let storage = EnvironmentPrefsStorage(
            prefix: "MYD_",
            environment: [
                namesToken ? "MYD_TOKEN_FILE" : "OTHER": sandbox.root + "/token",
                "CREDENTIALS_DIRECTORY": sandbox.root + "/credentials",
            ], options: options)
        self.storage = storage
        stack = PrefsStack(diagnostics: options.diagnostics) {
            PrefsLayer(.user, DictionaryPrefsStorage(values: ["token": "user"]))
            PrefsLayer(.environment, storage)
        }
    }
}

/// Objects that a storage may find where it expects a file.
private enum Obstacle: String, CaseIterable, CustomTestStringConvertible {
    case nothing, folder, pipe, device

    var testDescription: String { rawValue }

    /// Replaces whatever is at a path, in one step, because a storage may read it at any time.
    func replace(_ path: String) throws {
        let next = path + ".next"
        switch self {
        case .nothing:
            unsafe unlink(path)
            return
        case .folder: try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: "/")
        case .pipe: #expect(unsafe mkfifo(next, 0o600) == 0)
        case .device:
            try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: "/dev/zero")
        }
        #expect(unsafe rename(next, path) == 0)
    }

    var code: PrefsError.Code { self == .nothing ? .missing : .notARegularFile }
}

@Suite struct SecretFilesTests {
    private let token = PersistentKey("token", defaultValue: "none", .secret)
    private let password = PersistentKey("smtp.password", defaultValue: "none", .secret)

    @Test(arguments: [true, false])
    func `a change set names the secret in a file that has changed`(isNamed: Bool) async throws {
        let mounts = try Mounts(namesToken: isNamed) {
            try $0.write("first\n", to: $0.root + "/token")
            try $0.write("first\n", to: $0.root + "/credentials/token")
        }
        mounts.stack.declare(token)
        let sets = Recorder<PrefsChangeSet>()
        sets.keep(mounts.stack.observe { sets.record($0) })
        #expect(mounts.stack.value(forKey: "token") == "first")
        try mounts.sandbox.write("second\n", to: isNamed ? mounts.token : mounts.credentials + "/token")
        let changes = try await sets.wait { !$0.isEmpty }[0].changes
        #expect(changes.keys == ["token"])
        #expect(changes.first?.old.value == "first")
        #expect(changes.first?.new.value == "second")
        #expect(!"\(changes)".contains("second"))
    }

    @Test func `a change set names the secret whose file has changed below another value`() async throws {
        let mounts = try Mounts { try $0.write("first\n", to: $0.root + "/token") }
        let stack = PrefsStack {
            PrefsLayer(.environment, mounts.storage)
            PrefsLayer.overrides
        }
        stack.declare(token)
        try stack.set(token, to: "above", in: .overrides)
        let sets = Recorder<PrefsChangeSet>()
        sets.keep(stack.observe { sets.record($0) })
        try mounts.sandbox.write("second\n", to: mounts.token)
        let set = try await sets.wait { !$0.isEmpty }[0]
        #expect(set.shadowed == ["token"])
        #expect(set.changes.isEmpty)
    }

    @Test func `a write below a secret in a file says that the file shadows it`() throws {
        let mounts = try Mounts { try $0.write("first\n", to: $0.root + "/token") }
        mounts.stack.declare(token)
        let outcome = try mounts.stack.setValue("mine", forKey: "token", in: .user)
        guard case .shadowed(let origin) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(origin.file == mounts.token)
    }

    @Test func `a named file that changes is a change of its key`() async throws {
        let mounts = try Mounts { try $0.write("first\n", to: $0.root + "/token") }
        let changes = Recorder.changes(of: token, in: mounts.stack)
        #expect(mounts.stack.get(token) == "first")
        try mounts.sandbox.write("second\n", to: mounts.token)
        #expect(try await changes.wait { !$0.isEmpty }.map(\.new.value) == ["second"])
        #expect(changes.elements.first?.new.origin?.file == mounts.token)
        #expect(changes.elements.first?.description.contains("second") == false)
        try mounts.sandbox.remove(mounts.token)
        #expect(try await mounts.reported.wait { !$0.isEmpty }.map(\.error.code) == [.missing])
        #expect(mounts.stack.get(token) == "second")
        try Data("third".utf8).write(to: URL(filePath: mounts.token))
        #expect(try await changes.wait { $0.last?.new.value == "third" }.last?.new.value == "third")
        #expect(try await mounts.reported.wait { $0.count > 1 }.last?.severity == .recovered)
    }

    @Test(arguments: Obstacle.allCases)
    fileprivate func `what is named and is not a file is a rejected value`(obstacle: Obstacle) async throws {
        let mounts = try Mounts { sandbox in
            try obstacle.replace(sandbox.root + "/token")
            try sandbox.write("other", to: sandbox.root + "/credentials/token")
        }
        #expect(mounts.stack.get(token) == "user")
        let resolution = mounts.stack.resolution(for: token)
        #expect(resolution.rejected.map(\.code) == [obstacle.code])
        let error = try #require(resolution.rejected.first)
        #expect(error.reason.contains("MYD_TOKEN_FILE"))
        #expect(error.origin?.file == mounts.token)
        #expect(mounts.storage.status.first?.problem?.code == obstacle.code)
        #expect(mounts.stack.explanation(for: token).description.contains("MYD_TOKEN_FILE"))
        #expect(try await mounts.reported.wait { !$0.isEmpty }.map(\.error.code) == [obstacle.code])
    }

    @Test(arguments: Obstacle.allCases)
    fileprivate func `what takes the place of a named file does not change its value`(
        obstacle: Obstacle
    ) async throws {
        let mounts = try Mounts(isWatched: false) { try $0.write("first", to: $0.root + "/token") }
        #expect(mounts.stack.get(token) == "first")
        try obstacle.replace(mounts.token)
        mounts.stack.reload()
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "first")
        // Another thread may have found the problem first, and may not have reported it yet.
        let error = try #require(try await mounts.reported.wait { !$0.isEmpty }.first?.error)
        #expect(error.code == obstacle.code)
        #expect(error.reason.contains("MYD_TOKEN_FILE"))
        #expect(error.origin?.file == mounts.token)
        #expect(mounts.storage.status.first?.problem == error)
        let next = mounts.token + ".next"
        try mounts.sandbox.write("second", to: next)
        #expect(unsafe rename(next, mounts.token) == 0)
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "second")
        #expect(try await mounts.reported.wait { $0.count > 1 }.map(\.severity) == [.error, .recovered])
        #expect(mounts.storage.status.first?.problem == nil)
    }

    @Test func `a credential may be absent, and its loss is a warning`() async throws {
        let mounts = try Mounts(namesToken: false, isWatched: false)
        let credential = mounts.credentials + "/token"
        #expect(mounts.stack.resolution(for: token).rejected.isEmpty)
        try mounts.sandbox.write("first", to: credential)
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "first")
        #expect(mounts.reported.elements.isEmpty)
        try mounts.sandbox.remove(credential)
        mounts.stack.reload()
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "user")
        let reported = try await mounts.reported.wait { !$0.isEmpty }
        #expect(reported.map(\.severity) == [.warning])
        #expect(reported.first?.error.origin?.file == credential)
    }

    @Test(arguments: Obstacle.allCases.filter { $0 != .nothing })
    fileprivate func `what is in the place of a credential is reported`(obstacle: Obstacle) async throws {
        let mounts = try Mounts(namesToken: false, isWatched: false) { sandbox in
            try sandbox.write("first", to: sandbox.root + "/credentials/token")
            try obstacle.replace(sandbox.root + "/credentials/smtp.password")
        }
        #expect(mounts.stack.resolution(for: password).rejected.map(\.code) == [.notARegularFile])
        #expect(mounts.stack.get(token) == "first")
        try obstacle.replace(mounts.credentials + "/token")
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "first")
        #expect(
            try await mounts.reported.wait { !$0.isEmpty }.map(\.error.origin?.file)
                == [mounts.credentials + "/token"])
    }

    @Test func `a swap of the credentials is one change of the generation`() async throws {
        let mounts = try Mounts(namesToken: false) { sandbox in
            for version in ["1", "2"] {
                try sandbox.write("p\(version)", to: "\(sandbox.root)/version\(version)/smtp.password")
                try sandbox.write("t\(version)", to: "\(sandbox.root)/version\(version)/token")
            }
            try FileManager.default.createSymbolicLink(
                atPath: sandbox.root + "/credentials", withDestinationPath: "version1")
        }
        let (token, password) = (token, password)
        #expect(mounts.stack.snapshot.get(token, password) == ("t1", "p1"))
        let seen = Recorder<[String]>()
        seen.keep(
            mounts.stack.observe(password) { [stack = mounts.stack] _ in
                let values = stack.snapshot.get(token, password)
                seen.record([values.0, values.1])
            })
        try FileManager.default.createSymbolicLink(
            atPath: mounts.sandbox.root + "/next", withDestinationPath: "version2")
        #expect(unsafe rename(mounts.sandbox.root + "/next", mounts.credentials) == 0)
        #expect(try await seen.wait { !$0.isEmpty } == [["t2", "p2"]])
    }

    @Test func `a reading never has files of two generations`() async throws {
        let sandbox = try PrefsSandbox()
        let (link, next) = (sandbox.root + "/credentials", sandbox.root + "/next")
        let paths = ["a", "b", "c"].map { "\(link)/\($0)" }
        func swap(to version: Int) throws {
            for name in ["a", "b", "c"] {
                try sandbox.write("\(version)", to: "\(sandbox.root)/version\(version)/\(name)")
            }
            try FileManager.default.createSymbolicLink(
                atPath: next, withDestinationPath: "version\(version)")
            #expect(unsafe rename(next, link) == 0)
        }
        try swap(to: 0)
        let isOver = Atomic(false)
        async let torn = Task.detached {
            var (files, torn) = (SecretFiles(), [[String?]]())
            for path in paths { _ = try files.text(at: path) }
            while !isOver.load(ordering: .acquiring) {
                files = SecretFiles(after: files)
                let texts = try paths.map { try files.text(at: $0) }
                if Set(texts).count != 1 { torn.append(texts) }
            }
            return torn
        }.value
        for version in 1...500 { try swap(to: version) }
        isOver.store(true, ordering: .releasing)
        #expect(try await torn == [])
    }

    @Test func `a reload reads what has changed before it returns`() throws {
        let mounts = try Mounts { try $0.write("first", to: $0.root + "/token") }
        #expect(mounts.stack.get(token) == "first")
        let generation = mounts.storage.changeSource?.generation
        mounts.stack.reload()
        #expect(mounts.storage.changeSource?.generation == generation)
        try mounts.sandbox.write("second", to: mounts.token)
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "second")
        #expect(mounts.storage.changeSource?.generation != generation)
    }

    @Test(arguments: [
        ("s", "s"), ("s\n", "s"), ("s\r\n", "s"), ("s\n\n", "s\n"), ("s\r", "s\r"), ("\n", ""),
    ])
    func `one newline at the end is no part of a secret`(text: String, secret: String) throws {
        let mounts = try Mounts { try $0.write(text, to: $0.root + "/token") }
        #expect(mounts.stack.get(token) == secret)
    }

    @Test func `secrets are read when the storage is created`() throws {
        let mounts = try Mounts(isWatched: false) { sandbox in
            try sandbox.write("first", to: sandbox.root + "/token")
            try sandbox.write("word", to: sandbox.root + "/credentials/smtp.password")
        }
        // From now on nothing can be read, as after the process has changed its root or user.
        try Obstacle.folder.replace(mounts.token)
        try Obstacle.folder.replace(mounts.credentials + "/smtp.password")
        #expect(mounts.stack.get(token) == "first")
        #expect(mounts.stack.get(password) == "word")
    }

    @Test func `an edit between the creation of a storage and the first get is noticed`() async throws {
        let mounts = try Mounts { try $0.write("first\n", to: $0.root + "/token") }
        try mounts.sandbox.write("second\n", to: mounts.token)
        let values = Recorder<String>()
        let observation = mounts.stack.observe(token) { values.record($0.new.value) }
        if mounts.stack.get(token) != "second" {
            #expect(try await values.wait { $0.contains("second") }.contains("second"))
        }
        observation.cancel()
    }

    @Test func `an old text is released with the snapshots that have it`() throws {
        let files = SecretFiles()
        let mounts = try Mounts { try $0.write("first", to: $0.root + "/token") }
        #expect(try files.text(at: mounts.token) == "first")
        try mounts.sandbox.write("second", to: mounts.token)
        let next = SecretFiles(after: files)
        #expect(!files.adopt(next))
        #expect(try next.text(at: mounts.token) == "second")
        #expect(try files.text(at: mounts.token) == "first")
    }

    @Test func `a file that no key asks for is neither read nor reported`() throws {
        let mounts = try Mounts(policy: .trusted) { sandbox in
            try sandbox.write("first", to: sandbox.root + "/token")
            #expect(unsafe chmod(sandbox.root + "/token", 0o666) == 0)
        }
        mounts.stack.reload()
        #expect(mounts.storage.status.first?.problem == nil)
        #expect(mounts.reported.elements.isEmpty)
    }

    @Test func `a file that others may write is rejected, or keeps its last good text`() throws {
        let mounts = try Mounts(policy: .trusted) { sandbox in
            try sandbox.write("first", to: sandbox.root + "/token")
            #expect(unsafe chmod(sandbox.root + "/token", 0o666) == 0)
        }
        let resolution = mounts.stack.resolution(for: token)
        #expect(resolution.value == "user")
        #expect(resolution.rejected.map(\.code) == [.untrusted])
        #expect(unsafe chmod(mounts.token, 0o600) == 0)
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "first")
        let other = mounts.sandbox.root + "/other"
        try mounts.sandbox.write("evil", to: other)
        #expect(unsafe chmod(other, 0o666) == 0)
        #expect(unsafe rename(other, mounts.token) == 0)
        mounts.stack.reload()
        #expect(mounts.stack.get(token) == "first")
        #expect(mounts.storage.status.first?.problem?.code == .untrusted)
    }
}
