import ArgumentParser
import LayeredPrefs
import PrefsSystem

/// A change of the configuration that a command supposes in order to show its effects.
enum Supposition: Sendable {
    /// The layer has the contents of another file.
    case file(layer: String, path: String)
    /// The file is a drop-in of the layer `system`.
    case dropIn(path: String)
    /// The key is locked at the layer `system`.
    case lock(key: String)

    /// Parses `LAYER=PATH`, `drop-in=PATH` or `lock=KEY`.
    static func parse(_ text: String) throws -> Supposition {
        let expected = ValidationError("expected LAYER=PATH, drop-in=PATH or lock=KEY")
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { throw expected }
        let value = String(text[text.index(after: equals)...])
        guard !value.isEmpty else { throw expected }
        switch text[..<equals] {
        case "lock": return .lock(key: value)
        case "drop-in": return .dropIn(path: value)
        case let layer: return .file(layer: String(layer), path: value)
        }
    }

    /// The supposed file, if there is one.
    var path: String? {
        switch self {
        case .file(_, let path), .dropIn(let path): path
        case .lock: nil
        }
    }
}

/// The option of the commands that show the effects of a change.
struct SuppositionOptions: ParsableArguments {
    @Option(
        name: .customLong("if"),
        help: ArgumentHelp(
            "Suppose that a layer has the contents of another file, that the layer 'system' has a drop-in (drop-in=PATH), or that a key is locked (lock=KEY).",
            valueName: "layer=path"),
        completion: .file(extensions: PrefsFileFormat.extensions), transform: Supposition.parse)
    var suppositions: [Supposition] = []
}

extension [Supposition] {
    /// The absolute paths of the supposed files, spelled as in the origins of their values.
    var files: Set<String> { Set(compactMap(\.path).map(PrefsDiagnosticHandler.shared.absolutePath)) }

    /// Throws if a file does not exist. Otherwise a missing file would silently be an empty layer.
    func checkFiles() throws {
        for supposition in self {
            if let path = supposition.path, unsafe access(path, F_OK) != 0 {
                throw CommandFailure.usage("\(path): no such file")
            }
            if case .dropIn(let path) = supposition, PrefsFileFormat.stem(of: path) == nil {
                let extensions = PrefsFileFormat.extensions.map { ".\($0)" }.joined(separator: ", ")
                throw CommandFailure.usage("\(path): the name of a drop-in must end in one of \(extensions)")
            }
        }
    }

    /// Returns the locations with the supposed files.
    func applied(to locations: PrefsFileLocations) throws -> PrefsFileLocations {
        var locations = locations
        for supposition in self {
            switch supposition {
            case .file(PrefsLayer.Name.user.description, let path): locations.user = path
            case .file(let layer, _) where layer != PrefsLayer.Name.system.description:
                throw Self.notAFile(layer)
            default: try supposition.apply(to: &locations.system)
            }
        }
        return locations
    }

    /// Returns the layers of the command line with the supposed files.
    func applied(to forms: [LayerArgument.Form]) throws -> [LayerArgument.Form] {
        var forms = forms
        for case .file(let layer, let path) in self where layer != PrefsLayer.Name.system.description {
            let index = forms.firstIndex { if case .file(layer, _) = $0 { true } else { false } }
            guard let index else { throw Self.notAFile(layer) }
            forms[index] = .file(name: layer, path: path)
        }
        return forms
    }

    /// Adds the supposed locks to a stack.
    func addLocks(to storage: PrefsStack) throws {
        for case .lock(let key) in self {
            guard storage.layer(.system) != nil else {
                throw CommandFailure.usage("--if lock=KEY needs a layer 'system'")
            }
            storage.lock(try LocksText.key(in: key), at: .system)
        }
    }

    private static func notAFile(_ layer: String) -> CommandFailure {
        .usage("--if: the layer “\(layer)” has no file")
    }
}

extension Supposition {
    /// Applies a supposition about the layer `system` to the administrator's location. Ignores any other
    /// supposition.
    func apply(to system: inout [PrefsFileLocations.System]) throws {
        switch self {
        case .file(PrefsLayer.Name.system.description, let path):
            try system[Self.administratorsPlace(in: system)].replacement = path
        case .dropIn(let path):
            try system[Self.administratorsPlace(in: system)].additionalDropIns.append(path)
        case .file, .lock: break
        }
    }

    /// Returns the index of the topmost persistent location, preferably of one whose locks file is honored.
    private static func administratorsPlace(in system: [PrefsFileLocations.System]) throws -> Int {
        let index =
            system.lastIndex { !$0.isVolatile && $0.honorsLocksFile } ?? system.lastIndex { !$0.isVolatile }
        guard let index else {
            throw CommandFailure.usage("--if: there is no layer 'system' with a file")
        }
        return index
    }
}
