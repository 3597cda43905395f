import FoundationEssentials
public import LayeredPrefs
import PrefsDocuments

extension PrefsDeclaring {
    /// A sample property list of every key with its documentation and default.
    ///
    /// All keys are commented out, so the file changes nothing if it is installed unedited.
    public static var samplePropertyList: String { samplePropertyList(environmentPrefix: "") }

    /// Returns a sample property list of a program whose environment variables begin with a prefix.
    public static func samplePropertyList(environmentPrefix: String) -> String {
        reference(of: environmentPrefix).samplePropertyList
    }

    /// Returns a sample file in TOML for a program whose environment variables begin with a prefix.
    ///
    /// See ``PrefsReference/sampleTOML``.
    public static func sampleTOML(environmentPrefix: String = "") -> String {
        reference(of: environmentPrefix).sampleTOML
    }
}

extension PrefsReference {
    /// A sample property list of every key with its documentation and default.
    ///
    /// All keys are commented out.
    public var samplePropertyList: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \(KeyTree(keys).sample(environmentPrefix: environmentPrefix, indent: "    "))
        </dict>
        </plist>

        """
    }
}

extension PrefsReference {
    /// A sample file in TOML of every key with its documentation and default.
    ///
    /// All keys are commented out, so the file changes nothing if it is installed unedited. Each line contains the
    /// whole path of its key, so you can uncomment any line alone:
    ///
    /// ```toml
    /// # The port to listen on.
    /// # Type: integer. Allowed: 1...65535.
    /// # Environment: RELAY_LISTEN_PORT.
    /// #listen.port = 8080
    /// ```
    public var sampleTOML: String {
        keys.flatMap(\.parts).map { $0.sampleTOML(environmentPrefix: environmentPrefix) }
            .joined(separator: "\n")
    }
}

extension PrefsKeyDescription {
    fileprivate func sampleTOML(environmentPrefix: String) -> String {
        let path = PrefsPath(name).components
        let pair = sampleValues.compactMap { try? TOMLSample.pair(path, $0) }.first.map { "#\($0)" }
        let notes = notes(environmentPrefix: environmentPrefix).map { $0.isEmpty ? "#" : "# \($0)" }
        return (notes + [pair ?? "# No example is known for \(name)."]).joined(separator: "\n") + "\n"
    }
}

extension KeyTree {
    fileprivate func sample(environmentPrefix: String, indent: String) -> String {
        entries.compactMap { name, node in
            // A property list in XML cannot set a name that XML cannot represent.
            guard let element = try? XMLSample.key(name) else { return nil }
            return switch node {
            case .key(let key): key.sample(name, environmentPrefix: environmentPrefix, indent: indent)
            case .formerName: nil
            case .group(let group):
                """
                \(indent)\(element)
                \(indent)<dict>
                \(group.sample(environmentPrefix: environmentPrefix, indent: indent + "    "))
                \(indent)</dict>
                """
            }
        }.joined(separator: "\n")
    }
}

extension PrefsKeyDescription {
    fileprivate func sample(_ name: String, environmentPrefix: String, indent: String) -> String {
        let notes = notes(environmentPrefix: environmentPrefix).map {
            "\(indent)     \(XMLSample.comment($0))"
        }
        return """
            \(indent)<!--
            \(notes.joined(separator: "\n"))
            \(entry(name, indent: indent))
            \(indent)-->
            """
    }

    /// Returns the key with its default. If the default is secret or has no XML form, returns the key with a
    /// placeholder.
    private func entry(_ name: String, indent: String) -> String {
        sampleValues.compactMap { try? XMLSample.entry(name, $0, indent: indent) }.first
            ?? "\(indent)No example is known."
    }

    /// The values to show, the best first: the default, even if it is in a section that does not exist by default,
    /// and then other values of the type. The key accepts each of them, so that uncommenting the line causes no
    /// error.
    private var sampleValues: some Sequence<PrefsValue> {
        let own = isSecret || isOfThisMachine ? nil : shownDefault
        let bounds = [limits.minimum, limits.excludesMaximum ? nil : limits.maximum].compactMap(\.self)
        let others = [storedType.placeholder] + (limits.values ?? []) + bounds + PrefsStoredType.samples
        return ([own].compactMap(\.self) + others).lazy.filter { rejection(of: PrefsCandidate($0)) == nil }
    }

    private var shownDefault: PrefsValue? { defaultValue ?? section?.defaultValue }

    /// True if the default names the home folder, the working directory or the host of the process that makes the
    /// sample. Where the program runs, the default is another one.
    private var isOfThisMachine: Bool {
        let folders = [URL.homeDirectory.path, FileManager.default.currentDirectoryPath].filter { $0 != "/" }
        let names = folders + [ProcessInfo.processInfo.hostName].filter { $0 != "localhost" }
        return shownDefault?.containsText { text in
            names.contains(text) || folders.contains { text.hasPrefix("\($0)/") }
        } ?? false
    }

    private func notes(environmentPrefix: String) -> [String] {
        var notes =
            documentation?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
        notes.append("Type: \(storedType)." + (limits.description.isEmpty ? "" : " Allowed: \(limits)."))
        notes += storedType.elementNotes
        // Without a prefix, we only know the variables that keys name themselves.
        if !environmentPrefix.isEmpty || declaredEnvironmentName != nil {
            notes.append("Environment: \(environmentName(prefix: environmentPrefix)).")
        }
        if let section {
            notes.append(
                "There is no \(section.name) unless one of its keys is set."
                    + (isRequired ? " Then required." : ""))
        } else if isRequired {
            notes.append("Required.")
        }
        if isOfThisMachine { notes.append("The default depends on the machine.") }
        if isSecret { notes.append("Secret.") }
        if needsRestart { notes.append("A change takes effect after a restart.") }
        return notes
    }
}

extension PrefsStoredType {
    /// A line for each field of the type's structs that has documentation or allowed values.
    fileprivate var elementNotes: [String] {
        switch self {
        case .array(let element), .dictionary(let element): element.elementNotes
        case .structure(let fields, _):
            fields.flatMap { field -> [String] in
                let limits = field.limits.description
                let facts = [
                    field.documentation?.onOneLine.asSentence, limits.isEmpty ? nil : "Allowed: \(limits)",
                ].compactMap(\.self)
                let own = facts.isEmpty ? [] : ["- \(field.name): \(facts.joined(separator: " "))"]
                return own + field.type.elementNotes.map { "  \($0)" }
            }
        default: []
        }
    }

    /// A value of the type to show if there is no default.
    fileprivate var placeholder: PrefsValue {
        switch self {
        case .string, .any: .string("")
        case .bool: .bool(false)
        case .integer, .byteCount: .integer(0)
        case .duration: .string("0s")
        case .real: .real(0)
        case .data: .data(Data())
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .array: .array([])
        case .dictionary, .structure: .dictionary([:])
        }
    }

    /// Values for types that are stored as text.
    fileprivate static let samples: [PrefsValue] = [
        "http://localhost", "00000000-0000-0000-0000-000000000000", "1s",
    ]
}

extension PrefsValue {
    /// Returns true if this value or a part of it is a text that meets a condition.
    fileprivate func containsText(_ condition: (String) -> Bool) -> Bool {
        switch self {
        case .string(let text): condition(text)
        case .array(let elements): elements.contains { $0.containsText(condition) }
        case .dictionary(let content): content.values.contains { $0.containsText(condition) }
        default: false
        }
    }
}
