import FileWatching
import LayeredPrefs
import LayeredPrefsInspection

/// The open layers of a command and the declared keys.
struct Stack: Sendable {
    let storage: PrefsStack
    let domain: String?
    /// The keys that the program declares; `nil` if no schema is known. All answers are then untyped.
    let declared: DeclaredKeys?
    /// The path of the schema that declares the keys; `nil` if there is none.
    let schema: String?
    /// The keywords of the schema that are not checked.
    var unchecked: [PrefsError] = []
    /// The only layer to read, if the command line selects one.
    let selection: PrefsLayer.Name?
    /// True if the command line adds settings or suppositions to the values that programs read.
    var isHypothetical = false
    /// The files of the layer `system`, lowest first.
    let systemLocations: [PrefsFileLocations.System]
    let watcher: FileWatcher
    /// The reason to believe that the domain is misspelt, if there is one.
    var doubt: String?
}

extension PrefsStack {
    var layerNames: String { layers.map(\.name.description).joined(separator: ", ") }
}

extension PrefsDiagnosticHandler {
    /// A handler that prints every problem to standard error, after the prefix `prefs:`.
    static var complaining: PrefsDiagnosticHandler {
        PrefsDiagnosticHandler { Output.complain("prefs: \($0)") }
    }

    /// A handler that prints nothing, for a command that reports the problems itself.
    static var silent: PrefsDiagnosticHandler { PrefsDiagnosticHandler { _ in } }
}
