public import LayeredPrefs
import PrefsDocuments

extension PrefsDeclaring {
    /// The command-line flags of all keys with their documentation. Print this text for `--help`.
    ///
    /// ```text
    ///   --http-port <integer>
    ///       The port to listen on. Allowed: 1...65535. Default: 8080.
    ///   --[no-]http-compression
    ///       Default: false.
    /// ```
    ///
    /// The flags belong to the style ``ArgumentsPrefsStorage/Style/flags``.
    public static var flagsHelp: String { reference(of: "").flagsHelp }
}

extension PrefsReference {
    /// Returns the command-line options with their documentation. Print this text for `--help`.
    ///
    /// ```swift
    /// let reference = try Live.reference(of: Relay(), environmentPrefix: "RELAY_", locations: .daemon("relay"))
    /// print(reference.help(), terminator: "")
    /// ```
    ///
    /// ```text
    ///   --config <file>
    ///       Reads this file instead of the main configuration file.
    ///   --check-config [<file> …]
    ///       Checks the configuration, or these files instead, and exits with 0 if it is valid, or else with 1.
    ///   --set <key>=<value>
    ///       Sets a key, above all files and variables:
    ///   --set listen.port=<integer>
    ///       The port to listen on. Allowed: 1...65535. Default: 8080.
    /// ```
    ///
    /// A daemon has the options `--config` and `--check-config`. They are listed if ``locations`` are
    /// ``PrefsFileLocations/daemon(_:root:)``. `--check-config` works in a program that calls
    /// ``Live/checkConfiguration(_:_:at:fields:rule:arguments:)``.
    ///
    /// - Parameter style: The way that arguments set keys. Pass the same style as to the stack.
    public func help(style: ArgumentsPrefsStorage.Style = .settings) -> String {
        let isDaemon = locations?.followsUAPI6 == true
        let common = isDaemon ? Self.daemonHelp : ""
        return common + (style.isSettings ? settingsHelp : flagsHelp)
    }

    private static let daemonHelp = """
          --config <file>
              Reads this file instead of the main configuration file.
          --check-config [<file> …]
              Checks the configuration, or these files instead, and exits with 0 if it is valid, or else with 1.

        """

    private var settingsHelp: String {
        let general = """
              --set <key>=<value>
                  Sets a key, above all files and variables:

            """
        return general + help { "--set \($0.name)=<\($0.storedType)>" }
    }

    /// The command-line flags of the keys with their documentation. Print this text for `--help`.
    ///
    /// See the static member `flagsHelp` of schemas for an example. If your program takes `--set`, print ``help(style:)``
    /// instead.
    public var flagsHelp: String {
        help { key in
            let flag = ArgumentFlags.name(of: key.name)
            return key.storedType.isBoolean ? "--[no-]\(flag.dropFirst(2))" : "\(flag) <\(key.storedType)>"
        }
    }

    /// - Parameter usage: Returns the option that sets a key.
    private func help(_ usage: (PrefsKeyDescription) -> String) -> String {
        keys.flatMap { key in
            key.parts.map { $0.help(usage($0), documentation: $0.documentation ?? key.documentation) }
        }.joined(separator: "\n") + "\n"
    }
}

extension PrefsKeyDescription {
    fileprivate func help(_ usage: String, documentation: String?) -> String {
        var facts = documentation.map { [$0.onOneLine.asSentence] } ?? []
        if !limits.description.isEmpty { facts.append("Allowed: \(limits).") }
        if let defaultValue, !isSecret { facts.append("Default: \(defaultValue).") }
        return (["  \(usage)"] + (facts.isEmpty ? [] : ["      \(facts.joined(separator: " "))"]))
            .joined(separator: "\n")
    }
}

extension String {
    /// The text with a period at its end, unless it ends with a punctuation mark.
    var asSentence: String { last?.isPunctuation == false ? self + "." : self }
}
