import Foundation

/// A folder that goes when it is let go.
final class Folder {
    let path: String

    /// - Parameter parent: In memory by default, so that no disk is measured where none is meant.
    init(in parent: String = "/dev/shm") throws {
        let parent = FileManager.default.isWritableFile(atPath: parent) ? parent : NSTemporaryDirectory()
        path = "\(parent)/layeredprefs-bench-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Where the program was started: on a disk, and in a place where nobody else comes and goes, which
    /// everybody who watches the way to a file hears of.
    static func here() throws -> Folder { try Folder(in: FileManager.default.currentDirectoryPath) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }
}
