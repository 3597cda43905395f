import FileWatching
import LayeredPrefs
import LayeredPrefsInspection

/// The open layers of a command, and the declared keys.
struct Stack: Sendable {
    let storage: PrefsStack
    let domain: String?
    /// The keys that the program declares; `nil` if no schema is known, and every answer is untyped.
    let declared: DeclaredKeys?
    /// The path of the schema that declares them; `nil` if there is none.
    let schema: String?
    /// The keywords of the schema that are not checked.
    var unchecked: [PrefsError] = []
    /// The only layer to read, if the command line selects one.
    let selection: PrefsLayer.Name?
    /// True if the command line adds settings or suppositions to what programs read.
    var isHypothetical = false
    /// The files of the layer `system`, lowest first.
    let systemLocations: [PrefsFileLocations.System]
    let watcher: FileWatcher
    /// The reason to believe that the domain is misspelt; `nil` if there is none.
    var doubt: String?
}

extension PrefsStack {
    var layerNames: String { layers.map(\.name.description).joined(separator: ", ") }
}

extension PrefsDiagnosticHandler {
    /// Diagnostics that print every problem to standard error, prefixed with `prefs:`.
    static var complaining: PrefsDiagnosticHandler {
        PrefsDiagnosticHandler { Output.complain("prefs: \($0)") }
    }

    /// Diagnostics that print nothing, for a command that reports the problems itself.
    static var silent: PrefsDiagnosticHandler { PrefsDiagnosticHandler { _ in } }
}
