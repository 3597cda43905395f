import FileWatching
import LayeredPrefs

/// Writes in memory beside a system layer with many files or locks. They must not cost the writer anything.
enum PolicySize {
    static let group = "Publishing one changed key"
    private static let count = 10_000

    static var rows: [Row] {
        let how = "CPU time of the writing thread, in loops of 2 ms"
        return [
            Row(
                "publish.dropins", in: group, "One key above a system layer with 10,000 drop-ins", unit: "µs",
                how: how, measure: dropIns),
            Row(
                "publish.locks", in: group, "One key above a system layer with 10,000 locks", unit: "µs",
                how: how, measure: locks),
        ]
    }

    private static func dropIns(_ turns: inout Turns) throws {
        let (empty, full) = (try Folder(), try Folder())
        try full.write(PropertyList.text([]), to: "x.plist")
        for number in 0..<count {
            try full.write(
                PropertyList.text([("drop\(number)", .integer(1))]), in: "x.plist.d", "\(number).plist")
        }
        try compare(&turns, empty, full, "no drop-ins", "10,000 drop-ins")
    }

    private static func locks(_ turns: inout Turns) throws {
        let (empty, full) = (try Folder(), try Folder())
        try full.write((0..<count).map { "group\($0).locked.key\n" }.joined(), to: "x.locks")
        try compare(&turns, empty, full, "no locks", "10,000 locks")
    }

    private static func compare(
        _ turns: inout Turns, _ empty: Folder, _ full: Folder, _ without: String, _ with: String
    ) throws {
        var number = 0
        let contenders = [(empty, without), (full, with)].map { folder, name in
            let storage = stack(over: folder)
            return Writes.microseconds(name, .ours) {
                for _ in 0..<$0 {
                    number += 1
                    _ = try? storage.set(.subject, to: number, in: .overrides)
                }
            }
        }
        try turns.alternate(contenders)
        turns.expect(with, .atMost, 1.2, without)
    }

    /// Returns a stack over a folder's system files. It does not watch them.
    private static func stack(over folder: Folder) -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        let place = PrefsFileLocations.System(path: folder.path + "/x.plist")
        return PrefsStack(diagnostics: .silent) {
            PrefsLayer.defaults(["group0.setting0": 0])
            PrefsLayer(.system, SystemPrefsStorage(locations: [place], options: options))
            PrefsLayer(.overrides, DictionaryPrefsStorage(values: ["group0.setting0": 1]))
        }
    }
}
