import ArgumentParser
import LayeredPrefs

import PrefsSystem

/// The command `prefs diff A B`.
struct DiffCommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "diff", abstract: "Compare two files or layers, key by key.",
            discussion: Source.help(
                "diff user system @", "diff --if system=new.plist @",
                text: """
                    Each argument is a file of any format, the name of a layer, or 'effective' for the \
                    effective values. Only the contents are compared, not the formatting. Exits with 1 if \
                    they differ, with 2 if there is no such file or layer, and with 4 if a file is broken.

                    With --if and no arguments, prints what an edit, a drop-in or a lock would change: the \
                    effective values, the values that it would lock out, and, marked with '!', its own \
                    values that would be rejected or locked out. Exits with 0 if nothing would change, with 1 if \
                    values would change, with 2 if there is no such file, with 3 if a value would be rejected, \
                    and with 4 if the file of --if is broken. A pipeline that checks configuration accepts 0 and 1.
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Argument(help: "The first file or layer.", completion: .file(extensions: PrefsFileFormat.extensions))
    var first: String?

    @Argument(help: "The second file or layer.", completion: .file(extensions: PrefsFileFormat.extensions))
    var second: String?

    @OptionGroup var supposing: SuppositionOptions

    @Flag(name: .showSecrets, help: "Print the values of secrets.")
    var reveal = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if supposing.suppositions.isEmpty {
            if first == nil { throw ValidationError("Missing expected argument '<first>'") }
            if second == nil { throw ValidationError("Missing expected argument '<second>'") }
        } else if first != nil {
            throw ValidationError("--if compares the effective values; give no files or layers")
        }
    }

    func run() throws {
        try running {
            guard let first, let second else { return try runSupposition() }
            let stack =
                layers.request.namesLayers && ![first, second].allSatisfy(isFile)
                ? try layers.request.open() : nil
            let secrets =
                reveal
                ? SecretPaths()
                : try (stack.map(\.declared) ?? layers.request.knownSchema(isDoubting: true)?.keys).secrets
            let (old, new) = (try content(of: first, stack), try content(of: second, stack))
            let differences = Difference.all(from: old, to: new)
            if output.json {
                Output.print(differences.map { $0.json(secrets) })
            } else {
                for difference in differences { Output.print(difference.line(secrets, .output)) }
            }
            try stack?.checkSoundness()
            if !differences.isEmpty { throw CommandStatus.failed }
        }
    }

    private func runSupposition() throws {
        let suppositions = supposing.suppositions
        let now = try layers.request.open(diagnostics: .silent)
        let then = try layers.request.open(supposing: suppositions, isDoubting: false)
        let consequences = now.consequences(in: then, of: suppositions)
        if output.json {
            Output.print(consequences.map(\.json))
        } else {
            for consequence in consequences { consequence.print(.output) }
        }
        try then.checkSoundness()
        if consequences.contains(where: { !$0.rejected.isEmpty }) { throw CommandStatus.rejected }
        if consequences.contains(where: \.isChange) { throw CommandStatus.failed }
    }

    private func isFile(_ name: String) -> Bool { unsafe name.contains("/") || access(name, F_OK) == 0 }

    private func content(of name: String, _ stack: Stack?) throws -> [String: PrefsValue] {
        if !name.contains("/"), let stack {
            if let layer = stack.storage.layer(PrefsLayer.Name(name)) {
                return layer.storage.snapshot.dictionary
            }
            if name == "effective" { return stack.storage.snapshot.dictionary }
        }
        do throws(PrefsError) { return try PrefsFile.content(of: name) } catch {
            // Exit code 1 is reserved for a finished comparison that found differences.
            guard error.code == .missing else { throw error }
            let layers = name.contains("/") ? nil : stack?.storage.layerNames
            let words = layers.map { "no such file or layer; the layers are \($0)" } ?? "no such file"
            throw CommandFailure.usage("\(name): \(words)")
        }
    }
}

/// A key that has different values on the two sides.
private struct Difference {
    let key: String
    let old: PrefsValue?
    let new: PrefsValue?

    static func all(from old: [String: PrefsValue], to new: [String: PrefsValue]) -> [Difference] {
        // Compare the bytes: if two keys are equal as strings but not as bytes, one was removed.
        let (own, others) = (Set(old.leaves.map { Array($0.utf8) }), Set(new.leaves.map { Array($0.utf8) }))
        let keys = own.union(others).map { String(decoding: $0, as: UTF8.self) }
        let isRespelled = { (key: String, keys: Set<[UInt8]>, present: PrefsValue?) in
            present != nil && !keys.contains(Array(key.utf8))
        }
        let (old, new) = (PrefsSnapshot(old), PrefsSnapshot(new))
        return keys.sorted().compactMap { key in
            var (before, after) = (old.leaf(key), new.leaf(key))
            if isRespelled(key, own, before) { before = nil }
            if isRespelled(key, others, after) { after = nil }
            // If a value became a dictionary, the keys below it are reported instead.
            return before == after ? nil : Difference(key: key, old: before, new: after)
        }
    }

    func line(_ secrets: SecretPaths, _ style: Style) -> TerminalText {
        switch (old, new) {
        case (let old?, nil): style("- \(key) = \(shown(old, secrets))", .red)
        case (nil, let new?): style("+ \(key) = \(shown(new, secrets))", .green)
        case (let old, let new): "  \(key): \(shown(old, secrets)) → \(style(shown(new, secrets), .green))"
        }
    }

    func json(_ secrets: SecretPaths) -> OrderedJSON {
        let values = [old, new].map { $0.map { secrets.masking($0, at: PrefsPath(key)) } }
        return .object([
            ("key", .string(key)), ("a", OrderedJSON(values[0])), ("b", OrderedJSON(values[1])),
        ])
    }

    private func shown(_ value: PrefsValue?, _ secrets: SecretPaths) -> String {
        value.map { ValueText.shown($0, at: key, secrets) } ?? "none"
    }
}

extension PrefsSnapshot {
    fileprivate func leaf(_ name: String) -> PrefsValue? {
        let found = self[name]
        if case .dictionary(let content) = found, !content.isEmpty { return nil }
        return found
    }
}
