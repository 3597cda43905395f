import Foundation

/// A temporary folder. It is removed when this object is released.
final class Folder {
    let path: String

    /// - Parameter parent: The parent folder. By default it is in memory, so that no row measures the disk by
    ///   accident.
    init(in parent: String = "/dev/shm") throws {
        let parent = FileManager.default.isWritableFile(atPath: parent) ? parent : NSTemporaryDirectory()
        path = "\(parent)/layeredprefs-bench-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Makes a folder in the working directory, which is on a disk. Other programs do not create and remove files
    /// there; that would cause events for every watch on a path through the directory.
    static func here() throws -> Folder { try Folder(in: FileManager.default.currentDirectoryPath) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file to a folder within this one. Creates the folder if it is missing.
    func write(_ text: String, in folder: String, _ name: String) throws {
        let inner = "\(path)/\(folder)"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try write(text, to: "\(folder)/\(name)")
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }
}
