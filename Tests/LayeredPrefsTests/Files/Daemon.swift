import FileWatching
import Foundation
import LayeredPrefsTesting
import PrefsDocuments

@testable import LayeredPrefs

/// A daemon's files in a temporary folder. Each file sets `by` to its own path.
struct Daemon {
    let sandbox: PrefsSandbox
    let diagnostics = PrefsDiagnosticHandler()

    init() throws { sandbox = try PrefsSandbox() }

    /// Returns the path of a short name: `usr/10.toml` is `/usr/lib/relay/relay.toml.d/10.toml`, and
    /// `etc.toml` is `/etc/relay/relay.toml`.
    func path(_ name: String) -> String {
        for (short, folder) in [("usr", "usr/lib"), ("run", "run"), ("etc", "etc")]
        where name.hasPrefix(short) {
            let rest = name.dropFirst(short.count)
            let place = "\(sandbox.root)/\(folder)/relay/relay"
            return rest.hasPrefix("/") ? "\(place).toml.d\(rest)" : "\(place)\(rest)"
        }
        return "\(sandbox.root)/\(name)"
    }

    func write(_ name: String, _ text: String? = nil) throws {
        let text = text ?? (name.hasSuffix(".json") ? #"{"by": "\#(name)"}"# : "by = \"\(name)\"\n")
        try sandbox.write(text, to: path(name))
    }

    func mask(_ name: String) throws {
        try write(name, "")
        try sandbox.remove(path(name))
        try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: "/dev/null")
    }

    func remove(_ name: String) throws { try sandbox.remove(path(name)) }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    func options(isWatched: Bool = false) -> FilePrefsStorage.Options {
        var options = FilePrefsStorage.Options()
        if !isWatched { options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil) }
        options.diagnostics = diagnostics
        return options
    }

    func open(
        environment: [String: String] = [:], arguments: [String] = [], isWatched: Bool = false,
        watcher: FileWatcher? = nil
    ) -> PrefsStack {
        var options = options(isWatched: isWatched)
        if let watcher { options.watcher = watcher }
        return .daemon(
            "relay", root: sandbox.root, environment: environment, arguments: arguments, options: options)
    }
}

extension PrefsStack {
    /// The values of `by` in the layer `system`, lowest first. They name the files that are read.
    var read: [String] {
        let parts = snapshot.state.parts.reversed().filter { $0.layer == "system" }
        return parts.compactMap { part in
            guard case .string(let name)? = part.source.tree.value(at: PrefsPath("by"))?.value else {
                return nil
            }
            return name
        }
    }
}

extension PersistentKey where Value == String {
    static var by: Self { PersistentKey("by", defaultValue: "") }
}
