import FileWatching
import Foundation
import LayeredPrefs

/// Durable writes, beside the bare system calls with the same bytes on the same disk.
enum Writing {
    static func run(_ report: inout Report, in folder: String) throws {
        let folder = "\(folder)/layeredprefs-benchmark-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try durableWrite(100, rounds: 101, folder, &report)
        try surgicalEdit(100_000, rounds: 31, folder, &report)
    }

    private static func durableWrite(
        _ count: Int, rounds: Int, _ folder: String, _ report: inout Report
    ) throws {
        let writer = try Writer(path: "\(folder)/small.plist", count: count)
        let bytes = try PrefsFileFormat.xmlPropertyList.serialize(sample(count))
        let times = try medianTimes(
            of: rounds, { try writer.setNext() }, { try bareWrite(bytes, in: folder) })
        report.add(
            "one durable write to the bare system calls", times.first / times.second, goal: 1.3,
            isUpper: true,
            "\(Report.milliseconds(times.first)) and \(Report.milliseconds(times.second)), \(bytes.count) bytes"
        )
    }

    private static func surgicalEdit(
        _ count: Int, rounds: Int, _ folder: String, _ report: inout Report
    ) throws {
        let writer = try Writer(path: "\(folder)/large.plist", count: count)
        let bytes = try PrefsFileFormat.xmlPropertyList.serialize(sample(count))
        let times = try medianTimes(
            of: rounds, { try writer.setNext() },
            {
                _ = try PrefsFileFormat.xmlPropertyList.parse(bytes)
                try bareWrite(bytes, in: folder)
            })
        report.add(
            "one key in \(count) to one scan and the bare write", times.first / times.second, goal: 1.3,
            isUpper: true,
            "\(Report.milliseconds(times.first)) and \(Report.milliseconds(times.second)), \(bytes.count) bytes"
        )
    }

    /// Sets one key after another in a file, as a storage does: what it wrote last, it does not read again.
    private final class Writer {
        private let path: String
        private let keys: [String]
        private var last: (FileSignature, PrefsDocument)?
        private var round = 0

        init(path: String, count: Int) throws {
            self.path = path
            keys = sample(count).keys.sorted()
            let bytes = try PrefsFileFormat.xmlPropertyList.serialize(sample(count))
            last = known(try PrefsFileWriter.update(path) { _ in bytes })
        }

        func setNext() throws {
            round += 1
            let path = [keys[round * 37 % keys.count]]
            let result = try PrefsFileWriter.update(self.path, known: last) {
                try PrefsFileFormat.xmlPropertyList.edit($0, [(path, .integer(Int128(round)))])
            }
            last = known(result)
        }
    }

    private static func bareWrite(_ bytes: [UInt8], in folder: String) throws {
        let temporary = "\(folder)/bare.tmp"
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0, write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, close(file) == 0,
            rename(temporary, "\(folder)/bare") == 0
        else { throw CocoaError(.fileWriteUnknown) }
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        fsync(directory)
        close(directory)
    }
}

/// What a writer passes on to its next write.
private func known(
    _ result: (signature: FileSignature?, document: PrefsDocument)
) -> (FileSignature, PrefsDocument)? {
    result.signature.map { ($0, result.document) }
}
