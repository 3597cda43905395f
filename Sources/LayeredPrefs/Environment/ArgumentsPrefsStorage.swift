import PrefsDocuments

/// A read-only storage of the `--set key=value` and `--set=key=value` arguments on the command line.
///
/// The text is parsed by the key's type. If a key is set several times, the last one wins. All other
/// arguments, and everything after `--`, belong to the program and are ignored, as are keys that are longer
/// than the standard ``PrefsLimits/keyLength``.
///
/// With the arguments `--set a=1 --verbose --set=a=2 -- --set a=3`, the storage contains `a` with the text
/// `2`.
///
/// With the style ``Style/flags``, each key has a flag of its own instead.
public final class ArgumentsPrefsStorage: SelfContainedPrefsStorage {
    /// The way in which arguments set keys.
    public struct Style: Sendable, Hashable {
        private enum Name { case settings, flags }

        private let name: Name

        /// `--set http.port=9090`, whatever the keys are. The program's other arguments are ignored.
        public static let settings = Style(name: .settings)

        /// `--http-port 9090` or `--http-port=9090`, and for a boolean `--features-tracing` or
        /// `--no-features-tracing`.
        ///
        /// A key's flag consists of the words of its path; a field of a struct has one, too. Arguments that do not
        /// begin with `--`, and everything after `--`, belong to the program.
        /// ``LayeredPrefsStorage/checkArguments(of:)`` finds the flags that set no key.
        public static let flags = Style(name: .flags)
    }

    private let published: PublishedSource
    /// What is wrong with the arguments that set no key.
    private let problem: PrefsError?

    /// Creates a storage of the settings in a list of arguments.
    ///
    /// - Parameter arguments: The arguments without the program's name; by default this process's, and none
    ///   in a set-uid process, whose caller must not choose its settings.
    /// - Parameter style: The way in which they set keys.
    public convenience init(_ arguments: [String]? = nil, style: Style = .settings) {
        self.init(arguments, style: style, problem: nil)
    }

    /// - Parameter problem: What is wrong with other arguments.
    init(_ arguments: [String]?, style: Style, problem: PrefsError?) {
        self.problem = problem
        let arguments = arguments ?? ProcessPrivilege.trustedArguments
        let source =
            style == .flags
            ? PrefsSource(variables: ArgumentFlags(arguments))
            : PrefsSource(.value(.dictionary(Self.settings(in: arguments))), isText: true)
        published = PublishedSource(source)
    }

    /// Returns an error for each argument that sets no declared key.
    ///
    /// - Parameter own: Flags of the program that set no key.
    func problems(against known: KnownKeys, ignoring own: Set<String>) -> [PrefsError] {
        (problem.map { [$0] } ?? []) + unknown(among: known, ignoring: own)
    }

    private func unknown(among known: KnownKeys, ignoring own: Set<String>) -> [PrefsError] {
        let contents = published.value.contents
        if let flags = contents as? ArgumentFlags { return flags.problems(against: known, ignoring: own) }
        return contents.unknownKeys(against: known, under: nil).listed.map { unknown in
            let nearest = SpellingSuggestion.nearest(to: unknown.key, among: known.spellings(prefix: nil))
            return PrefsError(
                .usage, key: unknown.key, origin: PrefsOrigin(),
                reason: "unknown key\(SpellingSuggestion.hint(nearest))")
        }
    }

    /// The settings as text.
    public var snapshot: PrefsSnapshot { published.snapshot }

    /// The source of change notifications; the settings never change.
    public var changeSource: PrefsChangeSource? { published.changes }

    private static func settings(in arguments: [String]) -> [String: PrefsValue] {
        var settings: [String: PrefsValue] = [:]
        var rest = arguments.prefix { $0 != "--" }[...]
        while let argument = rest.popFirst() {
            let setting = argument == "--set" ? rest.popFirst() : argument.suffix(after: "--set=")
            // Bytes, because finding the characters of a hostile text takes longer than its length.
            guard let setting, let equals = setting.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = setting[..<equals]
            guard (1...PrefsLimits.standard.keyLength).contains(key.utf8.count) else { continue }
            settings[String(key)] = .string(String(setting[setting.utf8.index(after: equals)...]))
        }
        return settings
    }
}

extension PrefsStorage where Self == ArgumentsPrefsStorage {
    /// The `--set key=value` arguments on this process's command line.
    public static var arguments: ArgumentsPrefsStorage { ArgumentsPrefsStorage() }
}

extension String {
    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
