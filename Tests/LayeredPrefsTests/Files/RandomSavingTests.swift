import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// Random edits of a daemon's files by shell tools, git and editors. Only events lead to a reading.
///
/// A model of six files decides which values may be read, and in which order. `LAYEREDPREFS_SAVES=100` makes
/// 10,000 edits.
@Suite struct RandomSavingTests {
    /// The short names of the files, as in ``Daemon``, lowest first.
    private static let mainFiles = ["usr.toml", "etc.toml"]
    private static let dropIns = ["usr/10.toml", "etc/10.toml", "run/20.toml", "etc/50.toml"]

    /// The state of the files. A broken file keeps its last good contents.
    private struct Model {
        enum File { case contents(String), mask }

        var files: [String: File] = [:]

        /// The files that are read, lowest first.
        private var active: [String] {
            let main = mainFiles.last { files[$0] != nil }
            let visible = dropIns.filter { name in
                files[name] != nil && !(name == "usr/10.toml" && files["etc/10.toml"] != nil)
            }
            return (main.map { [$0] } ?? []) + visible
        }

        /// Returns the value that a file gives to its own key; `nil` for a file that is not read.
        func own(_ name: String) -> String? {
            guard active.contains(name), case .contents(let value) = files[name] else { return nil }
            return value
        }

        /// The value of the key that all files set.
        var mode: String { active.compactMap(own).last ?? "default" }
    }

    /// More ways to save a file, each with the program that it needs.
    private static let programs: [(program: String, way: SavingTests.Way)] = [
        (
            "git",
            SavingTests.Way(
                testDescription: "git checkout",
                script: #"""
                    cd "${f%/*}"; export GIT_DIR="$old.git" GIT_WORK_TREE=.
                    [ -d "$GIT_DIR" ] || git init -q
                    blob=$(git hash-object -w "$new")
                    git update-index --add --cacheinfo "100644,$blob,${f##*/}"
                    git checkout-index --force -- "${f##*/}"
                    """#)
        ),
        (
            "rsync",
            SavingTests.Way(testDescription: "rsync", script: #"rsync --checksum "$new" "$f""#)
        ),
        (
            "vim",
            SavingTests.Way(
                testDescription: "vim",
                script:
                    #"[ -s "$f" ] || cp "$new" "$f"; vim -u NONE -es -c '%!cat "$new"' -c wq "$f""#
            )
        ),
        (
            "ed",
            SavingTests.Way(
                testDescription: "ed",
                script: #"[ -s "$f" ] || cp "$new" "$f"; printf '%s\n' ',d' "r $new" w q | ed -s "$f""#)
        ),
    ]

    /// An edit of a file by a script.
    private struct Edit {
        let way: SavingTests.Way
        /// The states that may be read during the edit, in order. The last state is read in the end. Empty if
        /// the file keeps its previous contents.
        let states: [Model.File?]
        var contents = ""
    }

    private static let removal = SavingTests.Way(testDescription: "removal", script: #"rm -rf "$f""#)
    private static let masking = SavingTests.Way(
        testDescription: "mask", script: #"rm -rf "$f"; ln -s /dev/null "$f""#)
    private static let renaming = SavingTests.Way(testDescription: "renaming", script: #"mv "$new" "$f""#)

    /// Returns a random edit of a file.
    ///
    /// - Parameter isKnown: False if a broken revision might overwrite the file's good revision before
    ///   anybody reads that: nothing shows that a hidden file has been read.
    private static func edit(
        _ name: String, number: Int, isMask: Bool, isKnown: Bool, _ ways: [SavingTests.Way],
        using generator: inout SeededGenerator
    ) -> Edit {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0...1 where dropIns.contains(name) && !isMask && isKnown:
            let way = ways.filter { !$0.script.contains("$other") }.randomElement(using: &generator)!
            return Edit(way: way, states: [], contents: "mode = \"broken\(number)\n")
        case 2...3 where name != "usr.toml":
            return Edit(way: removal, states: [nil])
        case 4:
            return Edit(way: masking, states: [.mask])
        default:
            // A mask is a link, and most ways would write through it to the device.
            let way = isMask ? renaming : ways.randomElement(using: &generator)!
            let new = Model.File.contents("v\(number)")
            let pairs = way.script.hasPrefix("for") ? 6 : way.script.contains("$other") ? 1 : 0
            let both: [Model.File?] = [.contents("w\(number)"), new]
            return Edit(
                way: way, states: (0..<pairs).flatMap { _ in both } + [new],
                contents: contents("v\(number)", of: name))
        }
    }

    @Test(arguments: [mainFiles + dropIns, ["usr/10.toml", "etc/10.toml"]])
    func `every value that is read is one that was on disk whole, in the order of the edits`(
        names: [String]
    ) async throws {
        let rounds = SavingTests.rounds
        let daemon = try Daemon()
        try daemon.write("usr.toml", Self.contents("v0", of: "usr.toml"))
        for name in Self.mainFiles + Self.dropIns where !daemon.exists(name) {
            try FileManager.default.createDirectory(
                atPath: URL(filePath: daemon.path(name)).deletingLastPathComponent().path,
                withIntermediateDirectories: true)
        }
        var model = Model(files: ["usr.toml": .contents("v0")])
        // A single round waits for a removal as long as a busy machine may need for the two steps of a save.
        let quiet = Duration.milliseconds(rounds == 1 ? 4_000 : 400)
        let storage = daemon.open(
            watcher: FileWatcher(
                settling: FileSettling(quiet: quiet, limit: .seconds(600), longQuiet: .seconds(60))))
        let mode = PersistentKey("mode", defaultValue: "default")
        let keys = names.map { ($0, PersistentKey(Self.key(of: $0), defaultValue: "none")) }
        storage.declare(mode)
        for (_, key) in keys { storage.declare(key) }
        let (values, ticks) = (Recorder<Reading>(), Recorder<Void>())
        let edits = Tally()
        let observations = [
            storage.observe(mode) { values.record(Reading(value: $0.new.value, edit: edits.count)) },
            storage.observe { _ in ticks.record(()) },
        ]
        defer { for observation in observations { observation.cancel() } }
        var generator = SeededGenerator(seed: 20_261_129)
        let ways = SavingTests.ways + Self.programs.filter { Tool.find($0.program) != nil }.map(\.way)
        var expected: [String] = [model.mode]
        var history: [String] = []
        for number in 1...(rounds == 1 ? 40 : 100 * rounds) {
            let name = names.randomElement(using: &generator)!
            let path = daemon.path(name)
            let isMask = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
            let isKnown = name != "usr/10.toml" || model.own(name) != nil
            let edit = Self.edit(
                name, number: number, isMask: isMask, isKnown: isKnown, ways, using: &generator)
            for state in edit.states {
                model.files[name] = state
                expected.append(model.mode)
            }
            history.append("\(name) \(edit.way.testDescription): \(edit.contents)")
            edits.add()
            try await SavingTests.save(
                edit.contents, Self.contents("w\(number)", of: name), as: path, edit.way, in: daemon.sandbox)
            let current = model
            let readings = { @Sendable in
                [(mode.name.name, storage.get(mode), current.mode)]
                    + keys.map { ($1.name.name, storage.get($1), current.own($0) ?? "none") }
            }
            do {
                try await ticks.wait(within: .seconds(120)) { _ in readings().allSatisfy { $1 == $2 } }
            } catch {
                let wrong = readings().filter { $1 != $2 }
                Issue.record("after \(history.suffix(14)): \(wrong); \(storage.status)")
                return
            }
        }
        await storage.settled()
        expectInOrder(values.elements, among: expected, history)
    }

    /// A value that was read, and the number of edits that had begun by then.
    private struct Reading { let value: String, edit: Int }

    /// Expects the values to be among the model's values, in the same order.
    private func expectInOrder(_ readings: [Reading], among expected: [String], _ history: [String]) {
        var rest = expected[...]
        for reading in readings {
            guard let index = rest.firstIndex(of: reading.value) else {
                let edits = history.prefix(reading.edit).suffix(6)
                Issue.record("\(reading.value) is not one of \(rest.prefix(8)), after \(Array(edits))")
                return
            }
            rest = rest[index...]
        }
    }

    private static func key(of name: String) -> String {
        "own." + name.replacing("/", with: "-").replacing(".toml", with: "")
    }

    private static func contents(_ value: String, of name: String) -> String {
        "mode = \"\(value)\"\n\(key(of: name)) = \"\(value)\"\n"
    }
}
