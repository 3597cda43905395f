import PrefsDocuments

/// A read-only storage of the `--set key=value` and `--set=key=value` arguments on the command line.
///
/// The key's type parses the text. If a key is set several times, the last one wins. All other arguments, and
/// everything after `--`, belong to the program and are ignored. For example, the arguments
/// `--set a=1 --verbose --set=a=2 -- --set a=3` set `a` to the text `2`.
///
/// A path below a struct's key sets a field of the struct: `--set window.width=100`. A path below a
/// dictionary that merges deeply sets an entry: `--set features.x=true`. The other fields and entries keep
/// the values of the layers below.
///
/// ``PrefsStack/checkArguments()`` finds every `--set` that sets nothing:
///
/// - Nothing follows it, or the text that follows has no equals sign or no key.
/// - Its key is longer than the standard ``PrefsLimits/keyLength``.
/// - It has bytes that are not UTF-8.
/// - It sets a path below a key that can only be set as a whole.
/// - It sets a part of a key, and another `--set` sets the whole key.
///
/// With the style ``Style/flags``, each key has a flag of its own instead.
public final class ArgumentsPrefsStorage: SelfContainedPrefsStorage {
    /// The way that arguments set keys.
    public struct Style: Sendable, Hashable {
        private enum Name { case settings, flags }

        private let name: Name
        /// The program's own options.
        fileprivate var own: Set<String> = []

        package var isSettings: Bool { name == .settings }

        /// The style with one argument for all keys: `--set http.port=9090`.
        ///
        /// The program's other arguments are ignored.
        public static let settings = Style(name: .settings)

        /// The style with a flag for each key: `--http-port 9090` or `--http-port=9090`.
        ///
        /// The flags of a boolean are `--features-tracing` and `--no-features-tracing`. A key's flag consists
        /// of the words of its path. A field of a struct has a flag, too. Arguments that do not begin with
        /// `--`, and everything after `--`, belong to the program.
        /// ``PrefsStack/checkArguments(of:)`` finds the flags that set no key.
        public static let flags = Style(name: .flags)

        /// Returns this style for a program with options of its own, which set no key.
        ///
        /// ```swift
        /// let storage = PrefsStack.daemon("relay", argumentsStyle: .flags.besides("--verbose"))
        /// ```
        ///
        /// With flags, every other option that sets no key is an error. With settings, name only the options
        /// that could be a misspelling of `--config` or `--check-config`.
        public func besides(_ options: String...) -> Style {
            var style = self
            style.own.formUnion(options)
            return style
        }
    }

    private let published: PublishedSource
    /// The keys that the settings name, in order; empty for flags.
    private let settings: [String]
    /// The errors of arguments that set nothing, whatever keys are declared.
    private let malformed: [PrefsError]
    /// The program's own options.
    private let own: Set<String>
    /// The library's options that set no key.
    private let options: [String]

    /// Creates a storage of the settings in a list of arguments.
    ///
    /// - Parameter arguments: The arguments without the program's name. By default, these are the arguments
    ///   of this process, or none in a set-uid process, whose caller must not choose its settings.
    /// - Parameter style: The way that the arguments set keys.
    public convenience init(_ arguments: [String]? = nil, style: Style = .settings) {
        self.init(arguments, style: style, problem: nil)
    }

    /// - Parameters:
    ///   - problem: The error of an argument that this storage does not read.
    ///   - options: The library's options that set no key. A misspelling of one of them is an error.
    ///   - undecodable: The arguments that are not UTF-8.
    init(
        _ arguments: [String]?, style: Style, problem: PrefsError?, options: [String] = [],
        undecodable: UndecodableArguments = .ofProcess
    ) {
        let arguments = arguments ?? ProcessPrivilege.trustedArguments
        let others = problem.map { [$0] } ?? []
        (own, self.options) = (style.own, options)
        guard style.isSettings else {
            (settings, malformed) = ([], others)
            published = PublishedSource(PrefsSource(variables: ArgumentFlags(arguments, undecodable)))
            return
        }
        let found = ArgumentSettings(arguments, undecodable)
        let misspelt = found.options.compactMap { option -> PrefsError? in
            guard !style.own.contains(option),
                let near = SpellingSuggestion.neighbour(of: option, among: options)
            else { return nil }
            return PrefsError(
                .usage, origin: PrefsOrigin(spelling: option),
                reason: "unknown option\(SpellingSuggestion.hint(near))")
        }
        (settings, malformed) = (found.keys, others + misspelt + found.problems)
        published = PublishedSource(PrefsSource(.value(.dictionary(found.values)), isText: true))
    }

    /// Returns an error for each argument that sets nothing, or that sets no declared key.
    ///
    /// - Parameter own: The program's flags that set no key.
    func problems(against known: KnownKeys, ignoring own: Set<String>) -> [PrefsError] {
        malformed + unknown(among: known, ignoring: own)
    }

    private func unknown(among known: KnownKeys, ignoring own: Set<String>) -> [PrefsError] {
        if let flags = published.value.contents as? ArgumentFlags {
            return flags.problems(against: known, besides: options, ignoring: own.union(self.own))
        }
        let paths = Set(settings.map { PrefsPath($0) })
        return settings.compactMap { key in
            let path = PrefsPath(key)
            if let hint = known.hint(aboutSetting: path) {
                return PrefsError(.usage, key: key, origin: PrefsOrigin(), reason: "unknown key\(hint)")
            }
            if known.isName(path) { return nil }
            // The path is a part of a key.
            return path.ancestors.first(where: paths.contains).map { whole in
                PrefsError(
                    .usage, key: key, origin: PrefsOrigin(),
                    reason: "“\(whole.name)” is set as a whole, too; set either that or its parts")
            }
        }
    }

    /// The settings as text.
    public var snapshot: PrefsSnapshot { published.snapshot }

    /// The source of change notifications. The settings never change.
    public var changeSource: PrefsChangeSource? { published.changes }
}

extension PrefsStorage where Self == ArgumentsPrefsStorage {
    /// Returns a storage of the `--set key=value` arguments on this process's command line.
    public static var arguments: ArgumentsPrefsStorage { ArgumentsPrefsStorage() }
}
