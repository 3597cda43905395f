import PrefsDocuments
import Foundation

/// Real files from public repositories, read in place and not part of this package.
///
/// The folder is `$LAYEREDPREFS_CORPUS`, or `shared/corpus` in a folder above this file. If it is missing,
/// the tests that need it are skipped.
enum Corpus {
    static let folder: String? = {
        if let path = ProcessInfo.processInfo.environment["LAYEREDPREFS_CORPUS"] { return path }
        var parent = URL(filePath: #filePath).deletingLastPathComponent()
        while parent.path != "/" {
            let candidate = parent.appending(path: "shared/corpus").path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
            parent.deleteLastPathComponent()
        }
        return nil
    }()

    struct File {
        var name: String
        var bytes: [UInt8]

        var isJSON: Bool { name.hasSuffix(".json") }

        var format: PrefsFileFormat { .detecting(bytes: bytes, path: name) }
    }

    /// Returns the files of a part (`valid`, `invalid`) that may be property lists or JSON.
    static func files(_ part: String) throws -> [File] {
        guard let folder else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(part)").sorted()
            .filter { !$0.hasSuffix(".yml") && !$0.hasSuffix(".yaml") }
            .map {
                File(name: $0, bytes: try Array(Data(contentsOf: URL(filePath: "\(folder)/\(part)/\($0)"))))
            }
    }
}
