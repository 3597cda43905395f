import LayeredPrefs
import LayeredPrefsInspection

/// The text of a preferences file for the page. The values of secrets are not sent to the page.
struct MaskedText {
    let secrets: SecretPaths

    /// Returns the text with a mask over each secret. Returns `nil` if the secrets cannot be told from the rest
    /// because the file cannot be parsed or is not text.
    func text(of bytes: [UInt8], path: String) -> String? {
        if bytes.isEmpty { return "" }
        guard let document = try? PrefsDocument(parsing: bytes, path: path),
            document.format != .binaryPropertyList
        else { return nil }
        var edits: [PrefsDocument.Edit] = []
        for (key, node) in document.root.entries {
            collect(node, [key], PrefsPath.topLevel(key), into: &edits)
        }
        let masked = edits.isEmpty ? bytes : try? document.editing(edits)
        return masked.flatMap { String(validating: $0, as: UTF8.self) }
    }

    private func collect(
        _ node: PrefsNode, _ place: [String], _ path: PrefsPath, into edits: inout [PrefsDocument.Edit]
    ) {
        if secrets.covers(path) {
            edits.append(.set(place, to: .string(SecretPaths.mask)))
        } else if node.kind == .dictionary {
            for (key, child) in node.entries {
                collect(child, place + [key], path.appending(key), into: &edits)
            }
        } else if node.kind == .array {
            let masked = secrets.masking(node.value, at: path)
            if masked != node.value { edits.append(.set(place, to: masked)) }
        }
    }

    /// Returns a line of a text with the lines around it, and the number of the first of these lines. If the file
    /// cannot be parsed, returns only the line itself. If such a file names a secret, returns `nil`.
    func excerpt(of bytes: [UInt8], path: String, line: Int) -> (start: Int, lines: [String])? {
        let parsed = text(of: bytes, path: path)
        guard let text = parsed ?? String(validating: bytes, as: UTF8.self) else { return nil }
        if parsed == nil, namesSecret(text) { return nil }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        guard (1...max(lines.count, 1)).contains(line), !lines.isEmpty else { return nil }
        let around = parsed == nil ? 0 : 2
        let (first, last) = (max(line - around, 1), min(line + around, lines.count))
        return (first, Array(lines[(first - 1)...(last - 1)]))
    }

    private func namesSecret(_ text: String) -> Bool {
        let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }
        return words.contains { word in
            let path = PrefsPath.topLevel(String(word))
            return SecretPaths.suspected.covers(path) || secrets.covers(path)
                || secrets.areNamed(String(word))
        }
    }
}

extension SecretPaths {
    /// Returns these paths and the paths of all secrets among a process's keys.
    func adding(_ keys: [InspectionReply.Key]) -> SecretPaths {
        keys.filter(\.isSecret).reduce(into: self) {
            $0.insert(PrefsKeyName($1.key, formerNames: [], environmentName: nil, isSecret: true))
        }
    }
}
