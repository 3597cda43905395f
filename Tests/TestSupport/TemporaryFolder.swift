import Foundation

/// A temporary folder for one test, removed when the test ends.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = FileManager.default.temporaryDirectory.path + "/layeredprefs-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    package subscript(name: String) -> String { "\(path)/\(name)" }

    package var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? []
    }

    @discardableResult
    package func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws -> String {
        let url = URL(filePath: self[name])
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self[name])
        return self[name]
    }

    @discardableResult
    package func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    package func read(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(filePath: self[name])))
    }
}
