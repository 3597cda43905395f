import LayeredPrefs

/// Makes layers from the options of the command line, lowest first.
///
/// Consecutive options for the same layer form one layer: several settings, or several system files. The
/// layer `system` is read as the library reads it: with the drop-ins and the locks files beside its files.
struct LayerBuilder {
    let options: FilePrefsStorage.Options
    private var made: [PrefsLayer] = []
    private var settings: [String] = []
    private(set) var systemLocations: [PrefsFileLocations.System] = []
    private var isSystemOpen = false

    init(options: FilePrefsStorage.Options) { self.options = options }

    mutating func add(_ form: LayerArgument.Form) throws {
        switch form {
        case .file(PrefsLayer.Name.system.description, let path):
            closeSettings()
            guard isSystemOpen || systemLocations.isEmpty else { throw Self.twice(.system) }
            isSystemOpen = true
            systemLocations.append(PrefsFileLocations.System(path: path))
        case .file(let name, let path):
            close()
            try append(PrefsLayer(PrefsLayer.Name(name), FilePrefsStorage(path: path, options: options)))
        case .variables(let prefix):
            close()
            try append(PrefsLayer(freeName(.environment), EnvironmentPrefsStorage(prefix: prefix)))
        case .setting(let setting):
            closeSystem()
            settings.append(setting)
        case .selection: break
        }
    }

    /// Applies a supposition to the files of the layer `system`, if they are the last ones added or already
    /// form a layer.
    mutating func suppose(_ supposition: Supposition) throws {
        try supposition.apply(to: &systemLocations)
        guard !isSystemOpen, let index = made.firstIndex(where: { $0.name == .system }) else { return }
        made[index] = PrefsLayer(
            .system, SystemPrefsStorage(locations: systemLocations, options: options))
    }

    /// The layers added so far.
    var layers: [PrefsLayer] {
        var copy = self
        copy.close()
        return copy.made
    }

    private mutating func append(_ layer: PrefsLayer) throws {
        if made.contains(where: { $0.name == layer.name }) { throw Self.twice(layer.name) }
        made.append(layer)
    }

    private mutating func close() {
        closeSettings()
        closeSystem()
    }

    private mutating func closeSettings() {
        guard !settings.isEmpty else { return }
        let arguments = settings.flatMap { ["--set", $0] }
        made.append(PrefsLayer(freeName(.arguments), ArgumentsPrefsStorage(arguments)))
        settings = []
    }

    private mutating func closeSystem() {
        guard isSystemOpen else { return }
        made.append(PrefsLayer(.system, SystemPrefsStorage(locations: systemLocations, options: options)))
        isSystemOpen = false
    }

    /// Returns `environment`, `environment2`, …: on the command line only files have names.
    private func freeName(_ name: PrefsLayer.Name) -> PrefsLayer.Name {
        let count = made.count { $0.name.description.hasPrefix(name.description) }
        return count == 0 ? name : PrefsLayer.Name("\(name)\(count + 1)")
    }

    private static func twice(_ name: PrefsLayer.Name) -> CommandFailure {
        .usage("duplicate layer “\(name)”; name each layer once")
    }
}
