public import LayeredPrefs

extension PrefsDeclaring {
    /// A reference of every key in Markdown, for a manual.
    ///
    /// The names of environment variables have no prefix; see ``reference(environmentPrefix:)``.
    public static var reference: String { reference(environmentPrefix: "") }

    /// Returns a reference of every key in Markdown, for a program whose environment variables begin with a
    /// prefix.
    ///
    /// - Parameter environmentPrefix: The prefix, such as `MYD_`. `PrefsStack` derives it from the
    ///   domain `com.example.myd`.
    public static func reference(environmentPrefix: String) -> String {
        reference(of: environmentPrefix).markdown
    }
}

extension PrefsReference {
    /// A reference in Markdown with a section for every key, for a manual.
    public var markdown: String {
        keys.flatMap { $0.relativeFields.isEmpty ? [$0] : [$0] + $0.fields }.map {
            $0.section(environmentPrefix: environmentPrefix)
        }.joined(separator: "\n")
    }
}

extension PrefsKeyDescription {
    fileprivate func section(environmentPrefix: String) -> String {
        var lines = ["## `\(name)`", ""]
        if let documentation { lines += [documentation, ""] }
        lines += facts(environmentPrefix: environmentPrefix).map { "- \($0): \($1)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func facts(environmentPrefix: String) -> [(String, String)] {
        if !relativeFields.isEmpty {
            return [("Type", "structure; its fields follow")]
                + (isSecret ? [("Secret", "its fields, too")] : [])
        }
        var facts = [("Type", storedType.description)]
        if let text = shownDefault { facts.append(("Default", text)) }
        if !limits.description.isEmpty { facts.append(("Allowed", "`\(limits)`")) }
        if let validation { facts.append(("Condition", validation.onOneLine)) }
        facts.append(("Environment", "`\(environmentName(prefix: environmentPrefix))`"))
        if !formerNames.isEmpty {
            facts.append(("Formerly", formerNames.map { "`\($0)`" }.joined(separator: ", ")))
        }
        if isRequired { facts.append(("Required", "a file, a variable or an argument has to set it")) }
        if isSecret { facts.append(("Secret", "omitted from output and messages")) }
        if mergesDeeply { facts.append(("Layers", "merged by key")) }
        if needsRestart { facts.append(("Changes", "take effect after a restart")) }
        return facts
    }

    private var shownDefault: String? {
        guard let defaultValue = defaultValue ?? section?.defaultValue else { return "none" }
        return isSecret ? nil : "`\(defaultValue)`"
    }
}

extension String {
    /// The text with each run of white space replaced by one space.
    var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
