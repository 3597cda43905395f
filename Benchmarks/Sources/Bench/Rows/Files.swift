import CMeasuring
import Foundation
import LayeredPrefs
import PrefsDocuments

/// The rows that read, reload and write whole files.
enum Files {
    static let reading = "Files: parsing and reloading"
    static let writing = "Files: durable writes"
    static let how =
        "CPU time of the thread; for peers in their own process, CPU time of all their threads"
    static let wall = "wall clock, on the disk of the working directory; medians, because disks vary"

    static var rows: [Row] {
        [
            Row(
                "reload.100000", in: reading, "One of 100,000 keys changed, then reload()", unit: "ms",
                how: how
            ) {
                try reload(&$0, keys: 100_000, samples: 21)
            },
            Row("parse.xml-1000", in: reading, "XML, 1,000 keys, into values", unit: "ms", how: how) {
                try parse(&$0, keys: 1_000, isBinary: false, samples: 41)
            },
            Row("parse.xml-100000", in: reading, "XML, 100,000 keys, into values", unit: "ms", how: how) {
                try parse(&$0, keys: 100_000, isBinary: false, samples: 7)
            },
            Row("parse.binary-1000", in: reading, "Binary, 1,000 keys, into values", unit: "ms", how: how) {
                try parse(&$0, keys: 1_000, isBinary: true, samples: 41)
            },
            Row("parse.binary-100000", in: reading, "Binary, 100,000 keys, into values", unit: "ms", how: how)
            {
                try parse(&$0, keys: 100_000, isBinary: true, samples: 7)
            },
            Row(
                "parse.toml-100000", in: reading, "TOML, 100,000 keys, into values, each byte", unit: "ns",
                how: how
            ) {
                try parseTOML(&$0, keys: 100_000, samples: 7)
            },
            Row("write.durable", in: writing, "One key of 100 set in a property list", unit: "ms", how: wall)
            {
                try write(&$0, keys: 100, samples: 101)
            },
            Row("write.durable-100000", in: writing, "One key of 100,000", unit: "ms", how: wall) {
                try write(&$0, keys: 100_000, samples: 21)
            },
        ]
    }

    private static func reload(_ turns: inout Turns, keys: Int, samples: Int) throws {
        let folder = try Folder()
        let path = folder.path + "/large.plist"
        let texts = (0..<2).map { version in
            var content = PropertyList.sample(keys)
            content[keys / 2].1 = .integer(Int128(version))
            return Array(PropertyList.text(content).utf8)
        }
        var version = 0
        func edit() {
            version += 1
            bench_replace(path, texts[version % 2], Int64(texts[version % 2].count))
        }
        edit()
        // The files are not watched. Only reload() notices edits.
        var options = FilePrefsStorage.Options()
        options.watcher = .unwatched
        var fresh: FilePrefsStorage?
        let reloaded = FilePrefsStorage(path: path, options: options)
        let layer = FilePrefsStorage(path: path, options: options)
        let stack = PrefsStack(diagnostics: .silent) {
            PrefsLayer.defaults(["a": 1])
            PrefsLayer(.user, layer)
            PrefsLayer.overrides
        }
        let peers = turns.contender(
            "swift-configuration, fresh load", program: "PeerConfiguration", asking: "load \(path)")
        let json = folder.path + "/large.json"
        try folder.write(Self.json(keys), to: "large.json")
        let viper = turns.contender("viper, fresh JSON load", program: "PeerViper", asking: "load \(json)")
        try turns.alternate(
            samples: samples,
            [
                Contender("parsing alone: a new storage", .floor) {
                    edit()
                    // Releasing the previous storage is not part of parsing.
                    fresh = nil
                    return processorTime { fresh = FilePrefsStorage(path: path, options: options) } / 1e6
                },
                Contender("file storage", .ours) {
                    edit()
                    return processorTime { reloaded.reload() } / 1e6
                },
                Contender("stack of three layers", .ours) {
                    edit()
                    return processorTime { stack.reload() } / 1e6
                },
            ])
        precondition(reloaded.snapshot.generation > 0 && stack.snapshot.generation > 0)
        withExtendedLifetime(fresh) {}
        // Each sample takes seconds, so there are few.
        try turns.alternate(samples: 2, peers)
        try turns.alternate(samples: 7, viper)
        turns.expect("file storage", .atMost, 0.5, "parsing alone: a new storage")
        turns.expect("stack of three layers", .atMost, 0.5, "parsing alone: a new storage")
        turns.expect("stack of three layers", .timesFaster, 50, "swift-configuration, fresh load")
    }

    private static func json(_ keys: Int) -> String {
        "{"
            + (0..<keys).map { "\"group\($0 % 97)-setting\($0)\": \"value number \($0)\"" }
            .joined(separator: ",\n") + "}"
    }

    private static func parse(_ turns: inout Turns, keys: Int, isBinary: Bool, samples: Int) throws {
        let folder = try Folder()
        let content = Dictionary(uniqueKeysWithValues: PropertyList.sample(keys))
        let format: PrefsFileFormat = isBinary ? .binaryPropertyList : .xmlPropertyList
        let data = Data(try format.serialize(content))
        let path = folder.path + "/sample.plist"
        try data.write(to: URL(filePath: path))
        let libplist = turns.contender("libplist", program: "PeerLibplist", asking: "parse \(path)")
        let python = turns.contender("Python's plistlib", program: "PeerPython", asking: "parse \(path)")
        try turns.alternate(
            samples: samples,
            [
                Contender("LayeredPrefs", .ours) {
                    try processorTime { _ = try PrefsDocument(parsing: [UInt8](data), as: format).content }
                        / 1e6
                },
                Contender("Foundation's PropertyListSerialization", .peer) {
                    try processorTime {
                        _ = try PropertyListSerialization.propertyList(from: data, format: nil)
                    } / 1e6
                },
            ] + libplist + python)
    }

    private static func parseTOML(_ turns: inout Turns, keys: Int, samples: Int) throws {
        let folder = try Folder()
        // The same values in both formats. The files differ in size.
        let content = Dictionary(uniqueKeysWithValues: PropertyList.sample(keys))
        let path = folder.path + "/sample.toml"
        let toml = try PrefsFileFormat.toml.serialize(content)
        let xml = try PrefsFileFormat.xmlPropertyList.serialize(content)
        try Data(toml).write(to: URL(filePath: path))
        let python = turns.contender(
            "Python's tomllib", program: "PeerPython", asking: "parse-byte \(path)")
        try turns.alternate(
            samples: samples,
            [
                Contender("an XML property list of the same values", .floor) {
                    try processorTime {
                        _ = try PrefsDocument(parsing: xml, as: .xmlPropertyList).content
                    } / Double(xml.count)
                },
                Contender("LayeredPrefs", .ours) {
                    try processorTime { _ = try PrefsDocument(parsing: toml, as: .toml).content }
                        / Double(toml.count)
                },
            ] + python)
        turns.expect("LayeredPrefs", .atMost, 1.5, "an XML property list of the same values")
        turns.expect("LayeredPrefs", .timesFaster, 5, "Python's tomllib")
    }

    private static func write(_ turns: inout Turns, keys: Int, samples: Int) throws {
        let folder = try Folder.here()
        let path = folder.path + "/prefs.plist"
        let bytes = Array(PropertyList.text(PropertyList.sample(keys)).utf8)
        guard bench_replace_durably(path, bytes, Int64(bytes.count)) == 0 else {
            throw Peer.Absence(reason: "cannot write to \(folder.path)")
        }
        let storage = FilePrefsStorage(path: path)
        let bare = folder.path + "/bare.plist"
        var number = 0
        func key() -> String {
            number += 5
            return "group\(number % keys % 97).setting\(number % keys)"
        }
        try turns.alternate(
            samples: samples,
            [
                Contender("bare write, fsync, rename, fsync", .floor) {
                    wallTime { _ = bench_replace_durably(bare, bytes, Int64(bytes.count)) } / 1e6
                },
                Contender("setValue", .ours) {
                    let key = key()
                    return try wallTime { try storage.setValue(.integer(Int128(number)), forKey: key) }
                        / 1e6
                },
            ])
        turns.expect("setValue", .atMost, 1.3, "bare write, fsync, rename, fsync", by: .median)
    }
}
