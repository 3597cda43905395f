import FoundationEssentials
import Glibc
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

/// A relative path means the same after the process has changed its working directory, as a daemon does with
/// `chdir("/")`.
///
/// The working directory belongs to the process, so each test runs in a process of its own.
@Suite struct WorkingDirectoryTests {
    private static let key = PersistentKey("a", defaultValue: "default", .secret)

    /// Creates a layer in the folder of a file, edits the file from another folder, and checks that the layer has
    /// the file's values.
    private static func check(
        _ file: String, _ texts: (old: String, new: String), _ storage: () -> some PrefsStorage
    ) throws {
        let sandbox = try PrefsSandbox()
        let (home, other) = (sandbox.root + "/home", sandbox.root + "/other")
        try sandbox.write(texts.old, to: "\(home)/\(file)")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        precondition(unsafe chdir(home) == 0)
        let stack = PrefsStack { PrefsLayer("own", storage()) }
        precondition(unsafe chdir(other) == 0)
        precondition(stack.get(key) == "1")
        try sandbox.write(texts.new, to: "\(home)/\(file)")
        stack.reload()
        precondition(stack.get(key) == "2")
        let origin = stack.resolution(for: key).origin?.file ?? ""
        precondition(origin.hasPrefix("/") && origin.hasSuffix("/home/\(file)"))
    }

    @Test func `a file`() async {
        await #expect(processExitsWith: .success) {
            try Self.check("u.json", (#"{"a": "1"}"#, #"{"a": "2"}"#)) { FilePrefsStorage(path: "u.json") }
        }
    }

    @Test func `a file that may have another format`() async {
        await #expect(processExitsWith: .success) {
            try Self.check("u.json", (#"{"a": "1"}"#, #"{"a": "2"}"#)) {
                var options = FilePrefsStorage.Options()
                options.acceptsOtherFormats = true
                return FilePrefsStorage(path: "./u.plist", options: options)
            }
        }
    }

    @Test func `a drop-in of a system file`() async {
        await #expect(processExitsWith: .success) {
            try Self.check("s.plist.d/1.json", (#"{"a": "1"}"#, #"{"a": "2"}"#)) {
                SystemPrefsStorage(locations: [PrefsFileLocations.System(path: "s.plist")])
            }
        }
    }

    @Test func `a directory of files`() async {
        await #expect(processExitsWith: .success) {
            try Self.check("mount/a", ("1", "2")) { DirectoryPrefsStorage(at: "mount") }
        }
    }

    @Test func `a file of variables`() async {
        await #expect(processExitsWith: .success) {
            try Self.check(".env", ("MYD_A=1", "MYD_A=2")) {
                EnvironmentPrefsStorage.DotEnv(path: ".env", prefix: "MYD_")
            }
        }
    }

    @Test func `a file that a variable names`() async {
        await #expect(processExitsWith: .success) {
            try Self.check("token", ("1", "2")) {
                EnvironmentPrefsStorage(prefix: "MYD_", environment: ["MYD_A_FILE": "token"])
            }
        }
    }

    @Test func `a credential`() async {
        await #expect(processExitsWith: .success) {
            try Self.check("credentials/a", ("1", "2")) {
                EnvironmentPrefsStorage(prefix: "MYD_", environment: ["CREDENTIALS_DIRECTORY": "credentials"])
            }
        }
    }

    @Test func `a write goes to the file that was read`() async {
        await #expect(processExitsWith: .success) {
            let (sandbox, other) = (try PrefsSandbox(), try PrefsSandbox())
            precondition(unsafe chdir(sandbox.root) == 0)
            let storage = FilePrefsStorage(path: "u.json")
            precondition(unsafe chdir(other.root) == 0)
            try storage.setValue("1", forKey: "a")
            precondition(FilePrefsStorage(path: sandbox.root + "/u.json").snapshot.dictionary == ["a": "1"])
            precondition(unsafe access(other.root + "/u.json", F_OK) != 0)
        }
    }

    @Test func `a working directory that has been removed is reported`() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrefsSandbox().root + "-removed"
            precondition(unsafe mkdir(folder, 0o700) == 0 && chdir(folder) == 0 && rmdir(folder) == 0)
            let (diagnostics, reported, subscription) = Recorder.recording()
            defer { subscription.cancel() }
            var options = FilePrefsStorage.Options()
            options.diagnostics = diagnostics
            precondition(FilePrefsStorage(path: "u.json", options: options).path == "u.json")
            precondition(reported.elements.first?.error.errno == ENOENT)
            precondition(reported.elements.first?.error.reason.contains("absolute path") == true)
            let variables = EnvironmentPrefsStorage(prefix: "MYD_", environment: ["MYD_A_FILE": "token"])
            let stack = PrefsStack(diagnostics: diagnostics) { PrefsLayer(.environment, variables) }
            precondition(stack.resolution(for: Self.key).rejected.map(\.errno) == [ENOENT])
        }
    }
}
