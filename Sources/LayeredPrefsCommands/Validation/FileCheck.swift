import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The check of one file. It covers the syntax and, if the program's keys are known, the keys, types and ranges.
struct FileCheck {
    let path: String
    let declared: DeclaredKeys?
    /// True if an undeclared key is only a warning.
    var allowsUnknown = false
    /// True to parse a string as the declared type if JSON has no such type.
    var acceptsText = false
    private(set) var findings: [PrefsDiagnostic] = []
    /// True if the file cannot be read or parsed.
    var isBroken: Bool { failure != nil }
    /// The exit code of a file that cannot be read or parsed.
    private(set) var failure: ExitCode?

    private var unknownSeverity: PrefsDiagnostic.Severity { allowsUnknown ? .warning : .error }

    var hasErrors: Bool { findings.contains { $0.severity == .error } }

    /// Reads and checks the file.
    ///
    /// - Parameter isRequired: True if a missing file is an error.
    mutating func run(isRequired: Bool) {
        do throws(PrefsError) {
            check(try PrefsFile.document(of: path))
        } catch {
            if error.code == .missing {
                if isRequired { report(.missing, "no such file") }
                return
            }
            failure = error.status
            findings.append(PrefsDiagnostic(.error, error))
        }
    }

    mutating func check(_ document: PrefsDocument) {
        let warnings = document.warnings + document.warningsOfSpellings(in: path)
        findings += warnings.map { PrefsDiagnostic(.warning, $0) }
        guard declared != nil else { return }
        for (key, node) in document.root.entries { check(node, at: PrefsPath.topLevel(key)) }
    }

    /// Checks a document that contains the values below a path.
    mutating func check(_ document: PrefsDocument, at path: PrefsPath) {
        for (key, node) in document.root.entries { check(node, at: path.appending(key)) }
    }

    private mutating func check(_ node: PrefsNode, at path: PrefsPath) {
        guard let declared else { return }
        let name = path.name
        if let key = declared[name] { return check(node, as: key) }
        if let key = declared.renamed(name) {
            report(.unknownKey, "renamed to “\(key.name)”", key: name, at: node, .warning)
            return check(node, as: key)
        }
        guard declared.isGroup(name) else { return checkUndeclared(node, name) }
        guard node.kind == .dictionary else {
            return report(.wrongType, "expected a dictionary, found \(node.kind)", key: name, at: node)
        }
        for (key, child) in node.entries { check(child, at: path.appending(key)) }
    }

    private mutating func checkUndeclared(_ node: PrefsNode, _ name: String) {
        // A dotted key such as `limits.cpu` is part of a declared dictionary `limits`.
        if let holder = declared?.holder(of: name) {
            if let part = holder.part(named: name) { return check(node, as: part) }
            return report(.wrongType, holder.hasNoSuchPart, key: name, at: node)
        }
        let hint = SpellingSuggestion.hint(declared?.nearest(to: name))
        report(.unknownKey, "unknown key\(hint)", key: name, at: node, unknownSeverity)
    }

    private mutating func check(_ node: PrefsNode, as key: PrefsKeyDescription) {
        let value = acceptsText ? key.valueSpelledInJSON(node.value) : node.value
        if var error = key.rejection(of: PrefsCandidate(value)) {
            let part = key.mismatch(of: value).flatMap { node.part(at: $0.path) } ?? node
            error.origin = PrefsOrigin(file: path, position: part.position)
            findings.append(PrefsDiagnostic(.error, error))
        }
        for (place, nearest) in key.storedType.unknownFields(in: value) {
            let part = node.part(at: place) ?? node
            let reason = "unknown field\(SpellingSuggestion.hint(nearest))"
            report(.unknownKey, reason, key: key.name + place.suffix, at: part, unknownSeverity)
        }
    }

    private mutating func report(
        _ code: PrefsError.Code, _ reason: String, key: String? = nil, at node: PrefsNode? = nil,
        _ severity: PrefsDiagnostic.Severity = .error
    ) {
        let origin = PrefsOrigin(file: path, position: node?.position)
        findings.append(PrefsDiagnostic(severity, PrefsError(code, key: key, origin: origin, reason: reason)))
    }
}

extension PrefsNode {
    /// Returns the part of the value at a path; `nil` if there is none.
    fileprivate func part(at path: [PrefsMismatch.Step]) -> PrefsNode? {
        var node: PrefsNode? = self
        for step in path {
            node =
                switch step {
                case .key(let name): node.flatMap { $0.kind == .dictionary ? $0[name] : nil }
                case .index(let index): node.flatMap { $0.kind == .array ? Array($0.elements)[index] : nil }
                }
        }
        return node
    }
}

extension PrefsKeyDescription {
    /// Parses a string as data, a date or a real, because JSON has no data, dates and non-finite reals. Returns
    /// any other value unchanged.
    func valueSpelledInJSON(_ value: PrefsValue) -> PrefsValue {
        guard case .string(let text) = value, [.data, .date, .real].contains(storedType) else { return value }
        return storedType.value(ofText: text) ?? value
    }
}

extension PrefsDiagnostic {
    /// Returns `FILE:LINE:COLUMN: error: KEY: …`, the format of compilers. Editors can find the location in it.
    func line(_ style: Style = .plain) -> TerminalText {
        let place = error.origin?.description ?? ""
        let colour: Style.Colour = severity == .error ? .red : .yellow
        let words = [error.key, error.reason].compactMap(\.self).joined(separator: ": ")
        let start: TerminalText = place.isEmpty ? "" : "\(place): "
        return "\(start)\(style("\(severity.rawValue):", colour)) \(words)"
    }
}
