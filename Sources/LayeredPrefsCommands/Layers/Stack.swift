import FileWatching
import LayeredPrefs

/// The layers that a command is about, open, with what is known of the keys.
struct Stack: Sendable {
    let storage: LayeredPrefsStorage
    let domain: String?
    /// The keys that the program declares; `nil` where nobody says, and every answer is untyped.
    let declared: DeclaredKeys?
    /// The one layer that the command line asks for.
    let selection: PrefsLayer.Name?
    /// The files of the layer `system`, from the least to the most important.
    let systemPlaces: [PrefsPlaces.System]
    let watcher: FileWatcher
}

extension LayeredPrefsStorage {
    var layerNames: String { layers.map(\.name.description).joined(separator: ", ") }
}

extension PrefsDiagnostics {
    /// Every problem to standard error, under the command's name.
    static var complaining: PrefsDiagnostics { Complaints.shared.diagnostics }
}

/// Keeps the subscription of ``PrefsDiagnostics/complaining``.
private final class Complaints: Sendable {
    static let shared = Complaints()

    let diagnostics = PrefsDiagnostics()
    private let subscription: PrefsObservation

    init() {
        subscription = diagnostics.subscribe { Output.complain("prefs: \($0)") }
    }
}
