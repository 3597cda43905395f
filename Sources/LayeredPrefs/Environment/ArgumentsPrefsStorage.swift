import PrefsDocuments

/// A read-only storage of the `--set key=value` and `--set=key=value` arguments on the command line.
///
/// The text is parsed by the key's type. If a key is set several times, the last one wins. All other
/// arguments, and everything after `--`, belong to the program and are ignored, as are keys that are longer
/// than the standard ``PrefsLimits/keyLength``.
///
/// With the arguments `--set a=1 --verbose --set=a=2 -- --set a=3`, the storage contains `a` with the text
/// `2`.
public final class ArgumentsPrefsStorage: PrefsStorage {
    private let published: PublishedSource

    /// Creates a storage of the settings in a list of arguments.
    ///
    /// - Parameter arguments: The arguments without the program's name; by default this process's, and none
    ///   in a set-uid process, whose caller must not choose its settings.
    public init(_ arguments: [String]? = nil) {
        let settings = Self.settings(in: arguments ?? ProcessPrivilege.trustedArguments).mapValues {
            PrefsValue.string($0)
        }
        published = PublishedSource(PrefsSource(settings, isText: true))
    }

    /// The settings as text.
    public var snapshot: PrefsSnapshot { published.snapshot }

    /// The source of change notifications; the settings never change.
    public var changeSource: PrefsChangeSource? { published.changes }

    private static func settings(in arguments: [String]) -> [String: String] {
        var settings: [String: String] = [:]
        var rest = arguments.prefix { $0 != "--" }[...]
        while let argument = rest.popFirst() {
            let setting = argument == "--set" ? rest.popFirst() : argument.suffix(after: "--set=")
            // Bytes, because finding the characters of a hostile text takes longer than its length.
            guard let setting, let equals = setting.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = setting[..<equals]
            guard (1...PrefsLimits.standard.keyLength).contains(key.utf8.count) else { continue }
            settings[String(key)] = String(setting[setting.utf8.index(after: equals)...])
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
