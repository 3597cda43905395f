import Foundation
import TestSupport

/// A temporary directory. Its release removes it.
final class Sandbox: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "file-watching-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path(percentEncoded: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes in place: truncates, writes and closes the file. Then waits until no other process has it open.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: self(name)))
        waitForOtherWriters(of: self(name))
    }

    /// Replaces a file atomically: writes a temporary file next to it, then renames it.
    func replace(_ name: String, by text: String) throws {
        try write(text, to: name + ".tmp")
        guard unsafe rename(self(name + ".tmp"), self(name)) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

/// Runs shell scripts.
enum Shell {
    /// Runs `script` in `directory` and returns its exit status.
    static func run(_ script: String, in directory: String) -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", script]
        process.currentDirectoryURL = URL(filePath: directory)
        process.standardInput = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            return -1
        }
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// Returns the content that a consumer would read: a file's text, a directory's listing, or nil.
func content(of path: String) -> String? {
    if let names = try? FileManager.default.contentsOfDirectory(atPath: path) {
        return names.sorted().joined(separator: "\n")
    }
    return try? String(contentsOf: URL(filePath: path), encoding: .utf8)
}
