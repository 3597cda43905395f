import LayeredPrefs

/// Makes layers from the options of the command line, lowest first.
///
/// Consecutive options for the same layer form one layer, such as several settings or several system files. The
/// layer `system` is read as the library reads it, with the drop-ins and the locks files beside its files.
struct LayerBuilder {
    private let options: FilePrefsStorage.Options
    /// The files of the layer `system`, lowest first.
    let systemLocations: [PrefsFileLocations.System]
    private(set) var layers: [PrefsLayer] = []
    private var settings: [String] = []

    init(
        _ forms: [LayerArgument.Form], supposing suppositions: [Supposition],
        options: FilePrefsStorage.Options
    ) throws {
        self.options = options
        var locations: [PrefsFileLocations.System] = []
        for case .file(PrefsLayer.Name.system.description, let path) in forms {
            locations.append(PrefsFileLocations.System(path: path))
        }
        for supposition in suppositions { try supposition.apply(to: &locations) }
        systemLocations = locations
        for form in forms { try add(form) }
        closeSettings()
    }

    private mutating func add(_ form: LayerArgument.Form) throws {
        switch form {
        case .file(PrefsLayer.Name.system.description, _):
            closeSettings()
            // The option before this one has already added the layer with all its files.
            if layers.last?.name == .system { return }
            try append(PrefsLayer(.system, SystemPrefsStorage(locations: systemLocations, options: options)))
        case .file(let name, let path):
            closeSettings()
            try append(PrefsLayer(PrefsLayer.Name(name), FilePrefsStorage(path: path, options: options)))
        case .variables(let prefix):
            closeSettings()
            try append(PrefsLayer(freeName(.environment), EnvironmentPrefsStorage(prefix: prefix)))
        case .setting(let setting):
            settings.append(setting)
        case .selection: break
        }
    }

    private mutating func append(_ layer: PrefsLayer) throws {
        if layers.contains(where: { $0.name == layer.name }) {
            throw CommandFailure.usage("duplicate layer “\(layer.name)”; name each layer once")
        }
        layers.append(layer)
    }

    private mutating func closeSettings() {
        guard !settings.isEmpty else { return }
        let arguments = settings.flatMap { ["--set", $0] }
        layers.append(PrefsLayer(freeName(.arguments), ArgumentsPrefsStorage(arguments)))
        settings = []
    }

    /// Returns `environment`, `environment2` and so on, because only file layers have names on the command line.
    private func freeName(_ name: PrefsLayer.Name) -> PrefsLayer.Name {
        let count = layers.count { $0.name.description.hasPrefix(name.description) }
        return count == 0 ? name : PrefsLayer.Name("\(name)\(count + 1)")
    }
}
