import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

extension NameSpecification {
    /// The name of the option that prints secrets, and its former name.
    static let showSecrets: NameSpecification = [.customLong("show-secrets"), .customLong("reveal")]
}

extension CompletionKind {
    /// Values with their descriptions, which zsh and fish show.
    static func values(_ values: [(name: String, description: String)]) -> CompletionKind {
        .custom { _, _, _ in values.compactMap(candidate) }
    }

    /// The declared keys, each with its documentation.
    static func keys<Source: PrefsCommandSource>(of _: Source.Type) -> CompletionKind {
        .custom { arguments, _, _ in
            (declared(arguments, Source.self)?.all ?? []).compactMap {
                candidate(($0.name, $0.documentation ?? "\($0.storedType)"))
            }
        }
    }

    /// The domains of installed schemas and of running processes.
    static var domains: CompletionKind {
        .custom { _, _, _ in
            let running = LiveProcess.sockets(domain: nil).map(\.domain)
            return Set(SchemaPlaces.domains + running).sorted().compactMap { candidate(($0, "")) }
        }
    }

    /// The possible values of the key before this word, if they can be listed.
    static func valuesOfKey<Source: PrefsCommandSource>(of _: Source.Type) -> CompletionKind {
        .custom { arguments, _, _ in
            guard let declared = declared(arguments, Source.self),
                let key = arguments.lazy.reversed().compactMap({ declared[$0] }).first
            else { return [] }
            let values = key.storedType == .bool ? [true, false] : key.limits.values ?? []
            return values.compactMap { candidate((ValueText.plain($0), "")) }
        }
    }

    private static func declared<Source: PrefsCommandSource>(
        _ arguments: [String], _: Source.Type
    ) -> DeclaredKeys? {
        let request = LayerRequest(
            source: Source.self, domain: arguments.value(after: "--domain", "-d"),
            schema: arguments.value(after: "--schema"))
        // A shell cannot show the problem of a schema. The command itself will report it.
        return (try? request.knownKeys(guessing: true)) ?? nil
    }

    /// The layers that commands write to.
    static let writableLayers = values([
        ("user", "the user's file"), ("system", "the administrator's file"),
    ])

    /// Returns a candidate in the form that the requesting shell expects; `nil` for a name that a shell might not
    /// take literally. zsh and fish show the description.
    private static func candidate(_ value: (name: String, description: String)) -> String? {
        // A path has quotes around a component with dots. The shell must pass them on.
        let parts = PrefsPath(value.name).components
        guard value.name.isLiteralInShells || parts.allSatisfy(\.isLiteralInShells) else { return nil }
        let summary =
            value.description.split(whereSeparator: \.isNewline).first.map { String($0).printable } ?? ""
        switch CompletionShell.requesting {
        case .zsh where !summary.isEmpty: return "\(value.name.replacing(":", with: "\\:")):\(summary)"
        case .fish where !summary.isEmpty: return "\(value.name)\t\(summary)"
        // bash removes one level of quoting when it makes the list, and another one when it reads the line.
        case .bash: return value.name.replacing("\"", with: #"\\\""#)
        default: return value.name
        }
    }
}

extension String {
    /// True if every shell takes the text literally, without quotes, and no command takes it for an option.
    ///
    /// The names of keys come from schemas, which other users may have written. bash expands each candidate and
    /// would run a `$(command)` in a name. So we only offer letters, digits and marks of any language, and the
    /// punctuation that has no meaning in any shell.
    fileprivate var isLiteralInShells: Bool {
        guard let first = unicodeScalars.first, first.isLetterOrDigit || first == "_" else { return false }
        return unicodeScalars.allSatisfy { $0.isLetterOrDigit || "._-/:@%+,=".unicodeScalars.contains($0) }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .decimalNumber:
            true
        default: false
        }
    }
}

extension [String] {
    /// Returns the value of an option: the word after the option's last occurrence, otherwise the rest of the
    /// first word such as `--domain=NAME`.
    fileprivate func value(after names: String...) -> String? {
        for (word, next) in zip(self, dropFirst()).reversed() where names.contains(word) { return next }
        return lazy.compactMap { word in
            names.lazy.compactMap { word.hasPrefix("\($0)=") ? String(word.dropFirst($0.count + 1)) : nil }
                .first
        }.first
    }
}
