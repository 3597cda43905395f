import Foundation
import LayeredPrefs
import Testing

@testable import LayeredPrefsCommands

/// `--revert` puts back the values that the command wrote, even if somebody else has edited the file since.
@Suite struct FileChangeTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func replaced(_ old: String?, _ new: String?) -> ReplacedBytes {
        ReplacedBytes(old: old.map { Array($0.utf8) }, new: new.map { Array($0.utf8) })
    }

    @Test func `an edit puts its own keys back, and leaves those that somebody else has changed`() throws {
        let file = "\(sandbox.root)/settings.json"
        try sandbox.write(#"{"port": 81, "host": "other", "level": "debug"}"#, to: file)
        let change = FileChange(
            of: file,
            replacing: replaced(#"{"port": 80, "host": "a"}"#, #"{"port": 81, "host": "b"}"#))
        #expect(change.values.map(\.key) == ["host", "port"])
        try change.undo()
        let content = try PrefsDocument(parsing: Array(sandbox.text(of: file).utf8), path: file).content
        #expect(content == ["port": 80, "host": "other", "level": "debug"])
    }

    @Test func `a file that nobody else has changed is put back with its comments`() throws {
        let file = "\(sandbox.root)/settings.toml"
        let (old, new) = ("# ours\nport = 80\n", "port = 81\n")
        try sandbox.write(new, to: file)
        try FileChange(of: file, replacing: replaced(old, new)).undo()
        #expect(try sandbox.text(of: file) == old)
    }

    @Test func `a lock puts its own lines back, and leaves those of others`() throws {
        let file = "\(sandbox.root)/settings.locks"
        try sandbox.write("# ours\na\nb\nother\n", to: file)
        try FileChange(
            ofLocks: file, replacing: replaced("# ours\na\n", "# ours\na\nb\n"), locking: ["a", "b"]
        ).undo()
        #expect(try sandbox.text(of: file) == "# ours\na\nother\n")
        try FileChange(
            ofLocks: file, replacing: replaced("# ours\na\nother\n", "# ours\nother\n"), unlocking: ["a"]
        ).undo()
        #expect(try sandbox.text(of: file) == "# ours\na\nother\n")
    }
}
