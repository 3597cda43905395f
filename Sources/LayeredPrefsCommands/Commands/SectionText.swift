import LayeredPrefs
import LayeredPrefsInspection

/// A JSON object that sets several keys below a name: the fields of a struct, or the keys of a group.
struct SectionText {
    let key: String
    let text: String
    /// True if fields that the program does not declare may be stored.
    var allowsUnknown = false

    /// Returns the values to store, by key. Returns `nil` if no keys are declared below the name, or if the name
    /// itself is a key.
    ///
    /// - Throws: ``CommandFailure`` if the text is not a JSON object. If keys or values are wrong, reports each of
    ///   them and throws the exit code.
    func values(in declared: DeclaredKeys?) throws -> [(key: String, value: PrefsValue)]? {
        guard let declared, declared.isGroup(key), declared[key] == nil else { return nil }
        guard let document = try? PrefsDocument(parsing: text, as: .json, root: nil),
            case .dictionary(let fields) = document.root.value, !fields.isEmpty
        else {
            throw CommandFailure.failed(
                "\(key): expected a JSON object with the keys to set, such as {\"\(example(declared))\": …}")
        }
        try check(document, declared)
        return collect(document.root.value, at: PrefsPath(key), declared).sorted { $0.key < $1.key }
    }

    private func example(_ declared: DeclaredKeys) -> String {
        let depth = PrefsPath(key).components.count
        return declared.below(key).first.map { PrefsPath($0.name).components[depth] } ?? "name"
    }

    private func check(_ document: PrefsDocument, _ declared: DeclaredKeys) throws {
        var check = FileCheck(path: "", declared: declared, allowsUnknown: allowsUnknown, acceptsText: true)
        check.check(document, at: PrefsPath(key))
        for finding in check.findings {
            let line = [finding.error.key, finding.error.reason].compactMap(\.self).joined(separator: ": ")
            if finding.severity == .error {
                Output.complain("prefs: \(line)")
            } else {
                Output.warn("\(line)")
            }
        }
        if check.hasErrors { throw CommandStatus.failed }
    }

    /// Returns the values of the declared keys and of undeclared keys beside them.
    private func collect(
        _ value: PrefsValue, at path: PrefsPath, _ declared: DeclaredKeys
    ) -> [(key: String, value: PrefsValue)] {
        if let known = declared[path.name] ?? declared.renamed(path.name) {
            return [(known.name, known.valueSpelledInJSON(value))]
        }
        guard declared.isGroup(path.name), case .dictionary(let content) = value else {
            return [(path.name, value)]
        }
        return content.flatMap { collect($0.value, at: path.appending($0.key), declared) }
    }
}
