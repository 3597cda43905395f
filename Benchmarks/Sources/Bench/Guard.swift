import CMeasuring
import Foundation
import LayeredPrefs
import LayeredPrefsInspection
import Observation
import PrefsDocuments

/// The hot paths for Scripts/check guard. Each is repeated between two markers, and callgrind counts the
/// instructions between them.
///
/// Prints a line for each path: name, repetitions, allocations. The counts must be the same in every run. So
/// nothing here depends on time, and every path is warmed up before it is counted.
enum Guard {
    static func run() throws {
        let layers = try FiveLayers(in: .here())
        let storage = layers.storage
        count("read typed Int") { for _ in 0..<$0 { keep(storage.get(.port)) } }
        count("read typed Int, two codings in turn", share: 2) {
            for _ in 0..<$0 {
                keep(storage.get(.port))
                keep(storage.get(.doubledPort))
            }
        }
        count("read typed String") { for _ in 0..<$0 { keep(storage.get(.host)) } }
        try options(storage)
        try storage.setValue(["port": 26], forKey: "relay", in: .overrides)
        count("read typed struct") { for _ in 0..<$0 { keep(storage.get(.relay)) } }
        #if Macros
            prefs(storage)
        #endif
        try writes()
        try inspected()
        try files()
    }

    /// - Parameter share: The number of operations in one iteration.
    private static func count(
        _ name: String, times: Int = 1000, share: Int = 1, _ body: (Int) throws -> Void
    ) rethrows {
        try body(max(times / 4, 2))
        let before = bench_allocations()
        bench_region_begin(name)
        try body(times)
        bench_region_end(name)
        let allocations = Double(bench_allocations() - before) / Double(times * share)
        print("\(name)\t\(times * share)\t\(Number.text(allocations))")
    }

    /// Reads by keys with options.
    private static func options(_ storage: PrefsStack) throws {
        func read(_ name: String, _ key: PersistentKey<Int>, _ storage: PrefsStack) {
            count("read typed Int, \(name)") { for _ in 0..<$0 { keep(storage.get(key)) } }
        }
        read("range", DeclaredKeys.range, storage)
        read("validation", DeclaredKeys.validation, storage)
        read("secret", DeclaredKeys.secret, storage)
        read("former name", DeclaredKeys.formerName, storage)
        read("environment name", DeclaredKeys.environmentName, storage)
        read("from a variable", DeclaredKeys.text, storage)
        count("read typed Int, range, created at each read") {
            for _ in 0..<$0 { keep(storage.get(.limitedPort)) }
        }
        let locked = try FiveLayers(in: .here())
        locked.storage.lock("group1", at: .system)
        count("read typed Int, beside a lock") { for _ in 0..<$0 { keep(locked.storage.get(.port)) } }
    }

    private static func writes() throws {
        for keys in [10, 1_000] {
            try write("write to a stack of \(keys) keys, one observer", to: Writes.stack(of: keys))
        }
        let locked = Writes.stack(of: 10)
        locked.lock("other", at: .overrides)
        try write("write to a stack of 10 keys, one observer, beside a lock", to: locked)
    }

    private static func write(_ name: String, to storage: PrefsStack) throws {
        let observation = storage.observe(.subject) { _ in }
        var number = 0
        try count(name, times: 100) {
            for _ in 0..<$0 {
                number += 1
                try storage.set(.subject, to: number, in: .overrides)
                // A write costs less while the previous write is still being delivered. That depends on the
                // scheduler, so wait.
                usleep(5_000)
            }
        }
        observation.cancel()
    }

    /// The same stack before inspection is served, and while it is served without clients.
    private static func inspected() throws {
        let folder = try Folder()
        let storage = Writes.stack(of: 10)
        let key = PersistentKey<Int>.subject
        func rows(_ state: String) throws {
            count("read typed Int, inspection \(state)") { for _ in 0..<$0 { keep(storage.get(key)) } }
            try write("write to a stack of 10 keys, one observer, inspection \(state)", to: storage)
        }
        try rows("off")
        let inspection = try storage.serveInspection(domain: "guard", in: folder.path, historyLength: 0)
        try rows("idle")
        inspection.close()
    }

    private static func files() throws {
        let folder = try Folder.here()
        let path = folder.path + "/sample.plist"
        let texts = (0..<2).map { version in
            var content = PropertyList.sample(1_000)
            content[500].1 = .integer(Int128(version))
            return Array(PropertyList.text(content).utf8)
        }
        bench_replace(path, texts[0], Int64(texts[0].count))
        var options = FilePrefsStorage.Options()
        options.watcher = .unwatched
        let storage = FilePrefsStorage(path: path, options: options)
        var version = 0
        count("reload a file of 1,000 keys, one changed", times: 8) {
            for _ in 0..<$0 {
                version += 1
                // Passing the path as a Swift string would copy it, and the number of allocations would depend on
                // its length.
                path.withCString { path in
                    bench_replace(path, texts[version % 2], Int64(texts[version % 2].count))
                    // Otherwise the machine's speed would decide whether the library trusts the revision's
                    // timestamp.
                    setModificationTime(of: path, to: version)
                }
                storage.reload()
            }
        }
        let data = Data(texts[0])
        try count("parse XML of 1,000 keys into values", times: 8) {
            for _ in 0..<$0 { _ = try PrefsDocument(parsing: [UInt8](data), as: .xmlPropertyList).content }
        }
    }

    /// Sets the modification time of a file, in seconds since 1970.
    private static func setModificationTime(of path: UnsafePointer<CChar>, to seconds: Int) {
        let time = timespec(tv_sec: seconds, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [time, time], 0)
    }

    #if Macros
        private static func prefs(_ storage: PrefsStack) {
            let prefs = StackPrefs(storage)
            count("read @Pref Int") { for _ in 0..<$0 { keep(prefs.int) } }
            count("read @Pref String") { for _ in 0..<$0 { keep(prefs.long) } }
            count("read @Pref dictionary") { for _ in 0..<$0 { keep(prefs.table) } }
            count("read @Pref struct") { for _ in 0..<$0 { keep(prefs.relay) } }
            count("read @Pref Int, tracked") { times in
                withObservationTracking {
                    for _ in 0..<times { keep(prefs.int) }
                } onChange: {
                }
            }
            let asking = StackPrefs(storage, asksStorage: true)
            count("read @Pref Int, storageOnly") { for _ in 0..<$0 { keep(asking.int) } }
            let memory = MemoryPrefs(DictionaryPrefsStorage(values: ["int": 1]))
            var number = 0
            count("write @Pref Int", times: 100) {
                for _ in 0..<$0 {
                    number += 1
                    memory.int = number
                }
            }
        }
    #endif
}
