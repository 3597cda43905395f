import PrefsDocuments

extension PrefsDeclaring {
    /// The command-line flags of every key with their documentation, for the text that a program prints for `--help`.
    ///
    /// ```text
    ///   --http-port <integer>
    ///       The port to listen on. Allowed: 1...65535. Default: 8080.
    ///   --[no-]http-compression
    ///       Default: false.
    /// ```
    ///
    /// The arguments are those of the style ``ArgumentsPrefsStorage/Style/flags``.
    public static var flagsHelp: String { reference(of: "").flagsHelp }
}

extension PrefsReference {
    /// The command-line flags of the keys with their documentation, for the text that a program prints for `--help`;
    /// see ``PrefsDeclaring/flagsHelp``.
    public var flagsHelp: String {
        keys.flatMap { key in
            key.parts.map { part in part.flagHelp(documentation: part.documentation ?? key.documentation) }
        }.joined(separator: "\n") + "\n"
    }
}

extension PrefsKeyDescription {
    fileprivate func flagHelp(documentation: String?) -> String {
        let flag = ArgumentFlags.name(of: name)
        let usage = storedType.isBoolean ? "--[no-]\(flag.dropFirst(2))" : "\(flag) <\(storedType)>"
        var facts = documentation.map { [$0.onOneLine.asSentence] } ?? []
        if !limits.description.isEmpty { facts.append("Allowed: \(limits).") }
        if let defaultValue, !isSecret { facts.append("Default: \(defaultValue).") }
        return (["  \(usage)"] + (facts.isEmpty ? [] : ["      \(facts.joined(separator: " "))"]))
            .joined(separator: "\n")
    }
}

extension String {
    /// The text with a period at its end, unless it ends with a punctuation mark.
    fileprivate var asSentence: String { last?.isPunctuation == false ? self + "." : self }
}
