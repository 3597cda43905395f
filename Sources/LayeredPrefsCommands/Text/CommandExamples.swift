extension PrefsCommandSource {
    /// Returns a help text that begins with examples of a command.
    ///
    /// - Parameters:
    ///   - examples: Command lines without the program's name. `@` stands for the option that selects the domain.
    ///     A program that embeds the commands does not need it.
    ///   - text: The text after the examples.
    static func help(_ examples: String..., text: String = "") -> String {
        let lines = examples.map { example in
            "  \(commandName) " + example.replacing(" @", with: domain == nil ? " -d com.example.myd" : "")
        }
        let title = lines.count == 1 ? "Example:" : "Examples:"
        return ([title] + lines).joined(separator: "\n") + (text.isEmpty ? "" : "\n\n\(text)")
    }
}
