import CPlist
import Foundation
import LayeredPrefs

/// Parsing, in turn with the other parsers on this machine.
enum Parsing {
    static func run(_ report: inout Report) throws {
        for (format, name) in [(PrefsFileFormat.xmlPropertyList, "XML"), (.binaryPropertyList, "binary")] {
            let small = try compare(format, name, 1_000, &report)
            let large = try compare(format, name, 100_000, &report)
            report.add(
                "\(name): cost per key at 100,000 to that at 1,000", large / small / 100, goal: 2,
                isUpper: true, "")
        }
    }

    private static func compare(
        _ format: PrefsFileFormat, _ name: String, _ count: Int, _ report: inout Report
    ) throws -> Double {
        let bytes = try format.serialize(sample(count))
        let data = Data(bytes)
        let rounds = count > 10_000 ? 5 : 60
        let ours = try leastTime(of: rounds * 2) { _ = try format.parse(bytes) }
        let foundation = try leastTime(of: rounds) {
            _ = try PropertyListSerialization.propertyList(from: data, format: nil)
        }
        let libplist = leastTime(of: rounds) { parseWithLibplist(bytes, format) }
        let times = "\(Report.milliseconds(ours)) and "
        report.add(
            "\(name) \(count): times Foundation's speed", foundation / ours, goal: 8,
            times + Report.milliseconds(foundation))
        report.add(
            "\(name) \(count): times libplist's speed", libplist / ours, goal: name == "XML" ? 1 : 0,
            times + Report.milliseconds(libplist))
        return ours
    }

    private static func parseWithLibplist(_ bytes: [UInt8], _ format: PrefsFileFormat) {
        var node: plist_t?
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return }
            if format == .xmlPropertyList {
                plist_from_xml(start, UInt32(bytes.count), &node)
            } else {
                plist_from_bin(start, UInt32(bytes.count), &node)
            }
        }
        plist_free(node)
    }
}
