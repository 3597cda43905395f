import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// An edit that the user of the page makes or is still typing.
struct PageEdit: Decodable, Sendable {
    let subject: String
    let layer: String
    let key: String
    /// The value as text; `nil` to remove the layer's value.
    let text: String?
}

/// Checks and makes edits in file layers, by the rules of `prefs set` and `prefs unset`.
struct PageEditing: Sendable {
    struct Verdict: Encodable {
        /// The command that would make the same edit.
        var command: String
        /// The error that the edit would fail with.
        var error: String?
        /// The reason why the stored value is not, or would not be, effective.
        var remark: String?
        /// The file that the edit changes.
        var file: String?
        var difference: LineDifference?
        /// The number for reverting the edit after it was made.
        var revert: Int?
    }

    let stack: Stack
    /// The options that select the same layers on a command line.
    let words: [String]
    let reversals: PageReversals

    /// The layers that store values in a file.
    var layers: [PageLayer] {
        stack.storage.layers.filter { $0.storage.isWritable && $0.storage.isPersistent }.compactMap { layer in
            (try? stack.file(of: layer)).map { PageLayer(name: layer.name.description, file: $0) }
        }
    }

    /// The names of the layers, lowest first.
    var order: [String] { stack.storage.layers.map(\.name.description) }

    /// Returns the change that an edit would make.
    ///
    /// - Parameter keys: Returns the keys of the running process that is the subject. The tool's own schema may
    ///   not declare all of its secrets.
    func check(_ edit: PageEdit, hidingSecretsOf keys: () -> [InspectionReply.Key]) -> Verdict {
        var verdict = Verdict(command: Self.command(edit, words, to: edit.layer))
        do {
            let (layer, declared, value) = try prepare(edit)
            let names = declared?.names ?? PrefsKeyName(edit.key)
            try stack.storage.checkLocks(on: names, for: value, in: layer)
            let preview = try layer.preview(Self.names(edit, declared, value, in: layer).map { ($0, value) })
            let masked = MaskedText(secrets: stack.declared.secrets.adding(keys()))
            if let preview, let before = masked.text(of: preview.before, path: preview.file),
                let after = masked.text(of: preview.after, path: preview.file)
            {
                (verdict.file, verdict.difference) = (preview.file, LineDifference(before, after))
            }
        } catch {
            verdict.error = "\(error)"
        }
        return verdict
    }

    func apply(_ edit: PageEdit) throws -> Verdict {
        let (layer, declared, value) = try prepare(edit)
        let names = Self.names(edit, declared, value, in: layer)
        let before = names.map { ($0, layer.storage.snapshot[$0]) }
        let report = try stack.storage.transaction { transaction in
            for name in names { transaction.setValue(value, forKey: name, in: layer.name) }
        }
        var verdict = Verdict(command: Self.command(edit, words, to: edit.layer))
        verdict.revert = reversals.add { [stack] in
            guard names.allSatisfy({ layer.storage.snapshot[$0] == value }) else {
                throw CommandFailure.failed("\(edit.key): changed since; the edit cannot be reverted")
            }
            try stack.storage.transaction { transaction in
                for (name, value) in before { transaction.setValue(value, forKey: name, in: layer.name) }
            }
        }
        verdict.remark = try report.results.last?.get().remark.map { "stored, but \($0)" }
        return verdict
    }

    /// Returns the names that an edit changes. A removal also removes the key's former names, but not a former
    /// name that is now a section with other keys.
    private static func names(
        _ edit: PageEdit, _ declared: PrefsKeyDescription?, _ value: PrefsValue?, in layer: PrefsLayer
    ) -> [String] {
        guard let declared, value == nil else { return [declared?.name ?? edit.key] }
        return declared.namesToRemove(in: layer.storage.snapshot)
    }

    private func prepare(_ edit: PageEdit) throws -> (PrefsLayer, PrefsKeyDescription?, PrefsValue?) {
        guard layers.contains(where: { $0.name == edit.layer }) else {
            throw CommandFailure.usage("the layer “\(edit.layer)” cannot be edited")
        }
        let layer = try stack.writtenLayer(edit.layer)
        let text = StoredText(key: edit.key, text: edit.text ?? "")
        let declared = try text.declaredKey(in: stack)
        let value = edit.text == nil ? nil : try text.value(of: declared, in: layer, stack)
        return (layer, declared, value)
    }

    /// Returns the command that would make an edit.
    static func command(_ edit: PageEdit, _ words: [String], to layer: String?) -> String {
        let verb = edit.text == nil ? "unset" : "set"
        let place = words + (layer.map { ["--to", $0] } ?? [])
        let arguments = [edit.key] + [edit.text].compactMap(\.self)
        let needsMark = arguments.contains { $0.hasPrefix("-") }
        return (["prefs", verb] + (place + (needsMark ? ["--"] : []) + arguments).map(ShellWord.quoting))
            .joined(separator: " ")
    }
}

extension PrefsLayer {
    /// Returns the layer's file before and after some edits; `nil` if the layer has no file.
    fileprivate func preview(_ edits: [(key: String, value: PrefsValue?)]) throws -> FilePreview? {
        switch storage {
        case let storage as FilePrefsStorage: try storage.preview(edits)
        case let storage as SystemPrefsStorage: try storage.preview(edits)
        default: nil
        }
    }
}
