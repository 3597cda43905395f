import Foundation
import LayeredPrefs

/// The peak memory of holding one parsed file, measured in a process for each parser.
enum Memory {
    static func run(_ report: inout Report) throws {
        for (format, name) in [(PrefsFileFormat.xmlPropertyList, "xml"), (.binaryPropertyList, "binary")] {
            let path = NSTemporaryDirectory() + "layeredprefs-benchmark-\(UUID().uuidString)"
            try Data(format.serialize(sample(100_000))).write(to: URL(filePath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let nothing = try peak(of: "nothing", path)
            let ours = try peak(of: "ours", path) - nothing
            let foundation = try peak(of: "foundation", path) - nothing
            report.add(
                "\(name): peak memory to Foundation's at 100,000", Double(ours) / Double(foundation),
                goal: 1 / 3.0,
                isUpper: true, "\(ours) and \(foundation) KiB above a process that only reads the file")
        }
    }

    /// Runs this program again to do one thing and say its peak.
    private static func peak(of parser: String, _ path: String) throws -> Int {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["memory", parser, path]
        process.standardOutput = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Int(output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// What the child does.
    static func measure(_ parser: String, _ path: String) throws {
        var kept: Any = 0
        switch parser {
        case "ours": kept = try PrefsFileFormat.parse(PrefsFileReader.read(path)?.bytes ?? [], path: path)
        case "foundation":
            let data = try Data(contentsOf: URL(filePath: path))
            kept = try PropertyListSerialization.propertyList(from: data, format: nil)
        default: kept = try Data(contentsOf: URL(filePath: path)).count
        }
        withExtendedLifetime(kept) {
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
            print(line.filter(\.isNumber))
        }
    }
}
