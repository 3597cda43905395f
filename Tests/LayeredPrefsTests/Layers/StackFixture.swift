import FileWatching
import LayeredPrefsTesting
import TestSupport

@testable import LayeredPrefs

/// A temporary folder with files that nobody watches, and the reports of the stacks over them. The test
/// decides when an edit is read.
struct StackFixture: Sendable {
    let folder: TemporaryFolder
    let reports = Recorder<String>()
    /// The file that most tests of the suite edit.
    let file: String
    let options: FilePrefsStorage.Options

    /// - Parameter words: Returns the text to record for a report; `nil` to record nothing.
    init(
        _ file: String = "relay.toml",
        reporting words: @escaping @Sendable (PrefsDiagnostic) -> String? = {
            "\($0.severity): \($0.error.key ?? "-"): \($0.error.reason)"
        }
    ) throws {
        (folder, self.file) = (try TemporaryFolder(), file)
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        options.diagnostics = PrefsDiagnosticHandler { [reports] in
            if let text = words($0) { reports.record(text) }
        }
        self.options = options
    }
}

/// A suite whose tests begin with the same files.
protocol StackSuite {
    var fixture: StackFixture { get }
}

/// Lets the initializer of a suite, which cannot call the suite's functions yet, use these functions.
extension StackFixture: StackSuite {
    var fixture: StackFixture { self }
}

extension StackSuite {
    var folder: TemporaryFolder { fixture.folder }
    var reports: Recorder<String> { fixture.reports }

    /// Returns a layer of a file; by default, of the suite's file.
    func layer(_ name: PrefsLayer.Name = .system, _ file: String? = nil) -> PrefsLayer {
        PrefsLayer(name, FilePrefsStorage(path: folder[file ?? fixture.file], options: fixture.options))
    }

    /// Returns a stack that reports to the fixture.
    func stack(of layers: PrefsLayer...) -> PrefsStack {
        PrefsStack(coalescing: .standard, diagnostics: fixture.options.diagnostics, layers)
    }

    func write(_ text: String) throws { try folder.write(text, to: fixture.file) }

    func text(of file: String) throws -> String {
        String(decoding: try folder.read(file), as: UTF8.self)
    }

    /// Changes the file, and reloads the stack.
    func edit(_ text: String, _ storage: PrefsStack) throws {
        try write(text)
        storage.reload()
    }

    /// Changes the file of the lowest layer, and lets its storage read it as the watcher does. Unlike `edit`,
    /// this does not make the stack offer rejected values again.
    func replace(_ text: String, _ storage: PrefsStack) throws {
        try write(text)
        (storage.layers[0].storage as? FilePrefsStorage)?.reload()
        storage.commit()
    }
}
