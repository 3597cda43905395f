import PrefsDocuments
public import FoundationEssentials

/// `--set key=value` on the command line as a read-only layer of text.
///
/// The text is parsed by the key's type. The last of several settings for one key wins; every other argument
/// is the program's own and passed over, as is everything after `--`.
public final class ArgumentsPrefsStorage: PrefsStorage {
    private let published: PublishedSource

    /// - Parameter arguments: The arguments without the program's name; this process's by default.
    public init(_ arguments: [String] = Array(ProcessInfo.processInfo.arguments.dropFirst())) {
        let settings = Self.settings(in: arguments).mapValues { PrefsValue.string($0) }
        published = PublishedSource(PrefsSource(settings, isText: true))
    }

    public var snapshot: PrefsSnapshot { published.snapshot }

    public var changeSource: PrefsChangeSource? { published.changes }

    private static func settings(in arguments: [String]) -> [String: String] {
        var settings: [String: String] = [:]
        var rest = arguments.prefix { $0 != "--" }[...]
        while let argument = rest.popFirst() {
            let setting = argument == "--set" ? rest.popFirst() : argument.suffix(after: "--set=")
            guard let setting, let equals = setting.firstIndex(of: "="), equals > setting.startIndex else {
                continue
            }
            settings[String(setting[..<equals])] = String(setting[setting.index(after: equals)...])
        }
        return settings
    }
}

extension PrefsStorage where Self == ArgumentsPrefsStorage {
    /// What `--set key=value` says on this process's command line.
    public static var arguments: ArgumentsPrefsStorage { ArgumentsPrefsStorage() }
}

extension String {
    fileprivate func suffix(after prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}
