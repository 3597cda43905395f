import FileWatching
import Foundation
import LayeredPrefsTesting
import Testing

@testable import LayeredPrefs

/// The ways that editors, tools and scripts save a file. Whatever the way, nobody reads a value that no
/// writer has finished, or a value that would be effective only while the file is missing.
///
/// `LAYEREDPREFS_SAVES=100` repeats each way that many times.
@Suite struct SavingTests {
    static let rounds = ProcessInfo.processInfo.environment["LAYEREDPREFS_SAVES"].flatMap(Int.init) ?? 1

    /// A watcher that waits for writers as long as the busiest machine may take. The waiting time is not
    /// under test.
    private static let watcher = FileWatcher(
        settling: FileSettling(quiet: .seconds(20), limit: .seconds(600), longQuiet: .seconds(60)))
    /// Longer than the watcher waits for a writer that may have begun before the watcher watched the file.
    private static let patience = Duration.seconds(300)

    /// A shell script that saves the contents of the file `$new` as `$f`; `$other` has other valid contents.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String
    }

    static let ways = [
        Way(testDescription: "in place", script: #"cat "$new" > "$f""#),
        Way(testDescription: "twice in place", script: #"cat "$other" > "$f"; cat "$new" > "$f""#),
        Way(
            testDescription: "from a program that takes its time",
            script: #"(sleep 0.12; cat "$new") > "$f""#),
        Way(
            testDescription: "through tee, which has created the file long before",
            script: #"(sleep 0.3; cat "$new") | tee "$f" > /dev/null"#),
        Way(
            testDescription: "in two halves",
            script: #"(head -c 3 "$new"; sleep 0.15; tail -c +4 "$new") > "$f""#),
        Way(testDescription: "with cp", script: #"cp "$new" "$f""#),
        Way(testDescription: "with rm and cp", script: #"rm -f "$f"; cp "$new" "$f""#),
        Way(testDescription: "with install", script: #"install -m 644 "$new" "$f""#),
        Way(
            testDescription: "by moving the old file away",
            script:
                #"cp "$new" "$new.copy"; [ ! -e "$f" ] || mv "$f" "$old"; sleep 0.01; mv "$new.copy" "$f""#),
        Way(testDescription: "by renaming", script: #"cp "$new" "$new.copy"; mv "$new.copy" "$f""#),
        Way(
            testDescription: "as git does, by removing it and writing it anew",
            script: #"rm -f "$f"; (head -c 3 "$new"; tail -c +4 "$new") > "$f""#),
        Way(
            testDescription: "several times in a row",
            script: #"for i in 1 2 3 4 5 6; do cat "$other" > "$f"; sleep 0.012; cat "$new" > "$f"; done"#),
    ]

    /// A kind of file, with the contents to save and the values that may be read meanwhile.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The files before the save, by their names in ``Daemon``, with their contents.
        var files: [String: String]
        let target: String
        var new = "mode = \"new\"\n"
        var other = "mode = \"other\"\n"
        var variables: [String: String] = [:]
    }

    private static let vendor = ["usr.toml": "mode = \"vendor\"\n"]

    static let places = [
        Place(
            testDescription: "the main file",
            files: vendor.merging(["etc.toml": "mode = \"old\"\n"]) { $1 }, target: "etc.toml"),
        Place(
            testDescription: "a new main file", files: ["usr.toml": "mode = \"old\"\n"], target: "etc.toml"),
        Place(
            testDescription: "a drop-in", files: vendor.merging(["etc/50.toml": "mode = \"old\"\n"]) { $1 },
            target: "etc/50.toml"),
        Place(
            testDescription: "a new drop-in", files: ["usr.toml": "mode = \"old\"\n"], target: "etc/50.toml"),
        Place(
            testDescription: "a drop-in that hides the vendor's",
            files: vendor.merging(["usr/10.toml": "mode = \"old\"\n"]) { $1 }, target: "etc/10.toml"),
        Place(
            testDescription: "a secret", files: ["token": "old\n"], target: "token", new: "new\n",
            other: "other\n",
            variables: ["RELAY_MODE_FILE": "token"]),
    ]

    @Test(arguments: places, ways)
    func `a good version is read whole`(_ place: Place, _ way: Way) async throws {
        let daemon = try Daemon()
        for (name, text) in place.files { try daemon.write(name, text) }
        let storage = daemon.open(
            environment: place.variables.mapValues(daemon.path), watcher: Self.watcher)
        let key = PersistentKey("mode", defaultValue: "default", .secret)
        storage.declare(key)
        #expect(storage.get(key) == "old")
        let read = Recorder<String>()
        let observation = storage.observe(key) { read.record($0.new.value) }
        var contents = [place.new, place.other]
        for _ in 0..<Self.rounds {
            let expected = value(in: contents[0])
            try await Self.save(
                contents[0], contents[1], as: daemon.path(place.target), way, in: daemon.sandbox)
            try await read.wait(within: Self.patience) { $0.last == expected }
            contents.reverse()
        }
        observation.cancel()
        let values = Set(read.elements)
        #expect(values.isSubset(of: ["old", "new", "other"]), "\(read.elements)")
    }

    @Test(arguments: places.dropLast(), ways)
    func `a rejected version never takes effect`(_ place: Place, _ way: Way) async throws {
        let daemon = try Daemon()
        for (name, text) in place.files { try daemon.write(name, text) }
        let storage = daemon.open(watcher: Self.watcher)
        let key = PersistentKey("mode", defaultValue: "default")
        storage.declare(key)
        #expect(storage.get(key) == "old")
        let rejected = Recorder<PrefsError>()
        let reports = daemon.diagnostics.observe { if $0.severity == .error { rejected.record($0.error) } }
        let read = Recorder<String>()
        let observation = storage.observe(key) { read.record($0.new.value) }
        try await Self.save(
            "mode = 1\n", "mode = 2\n", as: daemon.path(place.target), way, in: daemon.sandbox)
        // This is the file's last revision.
        try await rejected.wait(within: Self.patience) { $0.contains { "\($0)".contains("1") } }
        observation.cancel()
        reports.cancel()
        #expect(read.elements == [])
        #expect(storage.get(key) == "old")
    }

    @Test(arguments: ways) func `a lock is never off while its file is saved`(_ way: Way) async throws {
        let sandbox = try PrefsSandbox()
        let locks = sandbox.administrator.replacing(".plist", with: ".locks")
        try sandbox.write(["mode": "old", "other": "new"], to: sandbox.administrator)
        try sandbox.write(["mode": "user", "other": "old"], to: sandbox.user)
        try sandbox.write("mode\n", to: locks)
        var options = FilePrefsStorage.Options()
        options.watcher = Self.watcher
        let storage = sandbox.standard(options: options)
        let (mode, other) = (
            PersistentKey("mode", defaultValue: "default"), PersistentKey("other", defaultValue: "default")
        )
        storage.declare(mode)
        storage.declare(other)
        #expect(storage.get(mode) == "old" && storage.get(other) == "old")
        let (modes, others) = (Recorder<String>(), Recorder<String>())
        let observations = [
            storage.observe(mode) { modes.record($0.new.value) },
            storage.observe(other) { others.record($0.new.value) },
        ]
        let texts = ["mode\nother\n", "mode\nmore\n"]
        var contents = texts
        for _ in 0..<Self.rounds {
            let expected = contents[0] == texts[0] ? "new" : "old"
            try await Self.save(contents[0], "mode\n", as: locks, way, in: sandbox)
            try await others.wait(within: Self.patience) { $0.last == expected }
            contents.reverse()
        }
        for observation in observations { observation.cancel() }
        #expect(modes.elements == [])
    }

    @Test(arguments: ways) func `a file in a folder of values is read whole`(_ way: Way) async throws {
        let sandbox = try PrefsSandbox()
        let folder = sandbox.root + "/secrets"
        try sandbox.write("old\n", to: folder + "/mode")
        var options = DirectoryPrefsStorage.Options()
        options.watcher = Self.watcher
        let storage = PrefsStack { [options] in
            PrefsLayer("secrets", .directory(at: folder, options: options))
        }
        let key = PersistentKey("mode", defaultValue: "default")
        let read = Recorder<String>()
        let observation = storage.observe(key) { read.record($0.new.value) }
        var contents = ["new\n", "other\n"]
        for _ in 0..<Self.rounds {
            let expected = value(in: contents[0])
            try await Self.save(contents[0], contents[1], as: folder + "/mode", way, in: sandbox)
            try await read.wait(within: Self.patience) { $0.last == expected }
            contents.reverse()
        }
        observation.cancel()
        #expect(Set(read.elements).isSubset(of: ["old", "new", "other"]), "\(read.elements)")
    }

    private func value(in contents: String) -> String {
        contents.contains("new") ? "new" : "other"
    }

    /// Saves contents in the given way.
    static func save(
        _ new: String, _ other: String, as path: String, _ way: Way, in sandbox: PrefsSandbox
    ) async throws {
        let names = ["new", "other", "old"].map { "\(sandbox.root)/scratch/\($0)" }
        try sandbox.write(new, to: names[0])
        try sandbox.write(other, to: names[1])
        try FileManager.default.createDirectory(
            atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", way.script]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["new": names[0], "other": names[1], "old": names[2], "f": path]
        ) { $1 }
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        try #require(status == 0)
    }
}
