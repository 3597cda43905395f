import FoundationEssentials
import Glibc
import LayeredPrefsTesting
import PrefsFiles
import Synchronization
import Testing

@testable import LayeredPrefs

/// A stack of secrets in files that variables name, above a layer in memory.
private struct Mounts {
    let sandbox: PrefsSandbox
    let storage: EnvironmentPrefsStorage
    let stack: LayeredPrefsStorage
    let reported: Recorder<PrefsDiagnostic>
    private let subscription: PrefsObservation

    var token: String { sandbox.root + "/token" }
    var credentials: String { sandbox.root + "/credentials" }

    init(policy: PrefsFilePolicy = .any, _ prepare: (PrefsSandbox) throws -> Void = { _ in }) throws {
        sandbox = try PrefsSandbox()
        try prepare(sandbox)
        var options = EnvironmentPrefsStorage.Options()
        options.policy = policy
        (options.diagnostics, reported, subscription) = Recorder.recording()
        let storage = EnvironmentPrefsStorage(
            prefix: "MYD_",
            environment: [
                "MYD_TOKEN_FILE": sandbox.root + "/token",
                "CREDENTIALS_DIRECTORY": sandbox.root + "/credentials",
            ], options: options)
        self.storage = storage
        stack = LayeredPrefsStorage(diagnostics: options.diagnostics) {
            PrefsLayer(.user, DictionaryPrefsStorage(values: ["token": "user"]))
            PrefsLayer(.environment, storage)
        }
    }
}

@Suite struct SecretFilesTests {
    private let token = PersistentKey("token", defaultValue: "none", isSecret: true)
    private let password = PersistentKey("smtp.password", defaultValue: "none", isSecret: true)

    @Test func `a named file that changes is a change of its key`() async throws {
        let mounts = try Mounts { try $0.write("first\n", to: $0.root + "/token") }
        let changes = Recorder.changes(of: token, in: mounts.stack)
        #expect(mounts.stack.get(token) == "first")
        try mounts.sandbox.write("second\n", to: mounts.token)
        #expect(try await changes.wait { !$0.isEmpty }.map(\.new.value) == ["second"])
        #expect(changes.elements.first?.new.origin?.file == mounts.token)
        #expect(changes.elements.first?.description.contains("second") == false)
        try mounts.sandbox.remove(mounts.token)
        #expect(try await changes.wait { $0.count > 1 }.map(\.new.value) == ["second", "user"])
        try Data("third".utf8).write(to: URL(filePath: mounts.token))
        #expect(try await changes.wait { $0.last?.new.value == "third" }.last?.new.value == "third")
    }

    @Test func `a swap of the credentials is one change of the generation`() async throws {
        let mounts = try Mounts { sandbox in
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
