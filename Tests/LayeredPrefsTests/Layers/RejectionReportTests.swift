import FileWatching
import Foundation
import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// The reports about revisions that stay rejected, and about layers that lose their values.
@Suite struct RejectionReportTests {
    private let folder: TemporaryFolder
    private let port = PersistentKey("port", defaultValue: 1, in: 1...65535)
    private let reports = Recorder<String>()
    private let scheduler = VirtualScheduler()
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.write(#"{"port": 80}"#, to: "site.json")
    }

    private var diagnostics: PrefsDiagnosticHandler {
        PrefsDiagnosticHandler { [reports] in
            reports.record("\($0.severity): \($0.error.key ?? "-"): \($0.error.reason)")
        }
    }

    private func stack() -> PrefsStack {
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = diagnostics
        let storage = PrefsStack(
            coalescing: .standard, diagnostics: diagnostics, scheduler: scheduler,
            [PrefsLayer("site", FilePrefsStorage(path: path, options: options))])
        storage.declare(port)
        return storage
    }

    private func write(_ text: String, _ storage: PrefsStack) throws {
        try folder.write(text, to: "site.json")
        storage.reload()
    }

    @Test func `what stays rejected is reported once a day`() async throws {
        let storage = stack()
        try write(#"{"port": 70000}"#, storage)
        let first = "error: port: expected 1...65535, found the integer 70000; keeping the previous version"
        #expect(reports.elements == [first])
        for day in 1...2 {
            scheduler.advance(to: .seconds(86400 * day))
            try await reports.wait { $0.count == day + 1 }
            #expect(reports.elements[day].hasPrefix(first + "; rejected since 2"))
        }
        try write(#"{"port": 81}"#, storage)
        #expect(reports.elements.count == 4)
        scheduler.advance(to: .seconds(86400 * 4))
        #expect(reports.elements.count == 4)
    }

    @Test(arguments: ["removed", "renamed", "emptied", "without values"])
    func `a file that loses active values is one warning with the keys`(way: String) throws {
        let storage = stack()
        switch way {
        case "removed": try FileManager.default.removeItem(atPath: path)
        case "renamed": try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        case "emptied": try folder.write("{}", to: "site.json")
        default: try folder.write("{ }\n", to: "site.json")
        }
        storage.reload()
        storage.reload()
        #expect(storage.get(port) == 1)
        let verb = ["removed", "renamed"].contains(way) ? "removed" : "emptied"
        #expect(
            reports.elements == [
                "warning: -: the file was \(verb); these keys fall back to lower layers, or to their defaults: port"
            ])
        try write(#"{"port": 82}"#, storage)
        #expect(storage.get(port) == 82)
        #expect(reports.elements.count == 1)
    }

    @Test func `a program may remove its last value`() throws {
        let storage = stack()
        try storage.remove(port)
        #expect(storage.get(port) == 1)
        #expect(reports.elements.isEmpty)
    }
}
