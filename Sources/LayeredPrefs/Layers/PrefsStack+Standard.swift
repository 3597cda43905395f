public import PrefsDocuments
public import FoundationEssentials
import PrefsSystem

extension PrefsStack {
    /// Creates the standard stack of a domain, from the lowest layer to the highest: `defaults` · `system` ·
    /// `user` · `environment` · `arguments` · `debug` (in debug builds of this library) · `overrides`.
    ///
    /// Writes go to the user's file unless another layer is named. If there is none, because neither `HOME` nor
    /// `XDG_CONFIG_HOME` is set, they throw: the administrator's file belongs to all users.
    ///
    /// A set-uid process has no `environment` and `arguments` layers, and its layer `user` is empty and cannot be written,
    /// because its caller must not choose its settings.
    ///
    /// - Parameters:
    ///   - domain: The program's name in reverse-DNS form; it names the files.
    ///   - folder: The name of a folder in `~/.config` for the user's file, `~/.config/notes/notes.plist` for `"notes"`;
    ///     by default the file is `~/.config/<domain>.plist`.
    ///   - format: The format of a file that a write creates where no file or folder of that name exists. Existing files
    ///     may have any format, and keep it.
    ///   - defaults: Values given in code, below every file.
    ///   - locations: The locations of the files, in place of those that `folder` and `format` describe; by default the
    ///     domain's standard locations.
    ///   - environment: The environment variables; by default this process's.
    ///   - prefix: The prefix of the domain's environment variables; by default derived from the domain's
    ///     last part: `MYD_` for `com.example.myd`.
    ///   - arguments: The command line without the program's name; by default this process's.
    ///   - argumentsStyle: The way in which arguments set keys.
    ///   - debug: The storage of the layer `debug`, such as `.file(at: "debug.toml")`; by default one in memory. A release
    ///     build of this library does not create it.
    ///   - coalescing: The way in which edits of files that follow each other closely are combined into one
    ///     commit; by default that of `options`.
    ///   - options: The options for reading and watching the files and for reporting problems.
    public static func standard(
        domain: String,
        folder: String? = nil,
        format: PrefsFileFormat = .propertyList,
        defaults: [String: PrefsValue] = [:],
        locations: PrefsFileLocations? = nil,
        environment: [String: String] = PrefsFileLocations.trustedEnvironment,
        prefix: String? = nil,
        arguments: [String] = Array(ProcessInfo.processInfo.arguments.dropFirst()),
        argumentsStyle: ArgumentsPrefsStorage.Style = .settings,
        debug: @autoclosure () -> any PrefsStorage = DictionaryPrefsStorage(),
        coalescing: PrefsCoalescing? = nil,
        options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) -> PrefsStack {
        let standard = PrefsFileLocations.standard(
            domain: domain, folder: folder, format: format, environment: environment)
        return stack(
            defaults, locations ?? standard, environment,
            prefix: prefix ?? EnvironmentName.prefix(forDomain: domain),
            ArgumentsPrefsStorage(arguments, style: argumentsStyle), debug, coalescing, options)
    }

    private static func stack(
        _ defaults: [String: PrefsValue], _ locations: PrefsFileLocations, _ environment: [String: String],
        prefix: String, _ arguments: ArgumentsPrefsStorage, _ debug: () -> any PrefsStorage,
        _ coalescing: PrefsCoalescing?, _ options: FilePrefsStorage.Options
    ) -> PrefsStack {
        let isTrusted = !ProcessPrivilege.isRaised
        var (systemOptions, userOptions) = (options, options)
        systemOptions.diagnostics = options.diagnostics.naming(layer: PrefsLayer.Name.system.description)
        userOptions.diagnostics = options.diagnostics.naming(layer: PrefsLayer.Name.user.description)
        userOptions.acceptsOtherFormats = true
        var variableOptions = EnvironmentPrefsStorage.Options(options)
        variableOptions.diagnostics = options.diagnostics.naming(
            layer: PrefsLayer.Name.environment.description)
        return PrefsStack(
            coalescing: coalescing ?? options.coalescing, diagnostics: options.diagnostics
        ) {
            PrefsLayer.defaults(defaults)
            PrefsLayer(.system, SystemPrefsStorage(locations, options: systemOptions))
            if isTrusted, let user = locations.user {
                PrefsLayer(.user, FilePrefsStorage(path: user, options: userOptions))
            } else if !isTrusted || !locations.followsUAPI6 {
                PrefsLayer(.user, MissingUserStorage())
            }
            if isTrusted {
                PrefsLayer(
                    .environment,
                    EnvironmentPrefsStorage(
                        prefix: prefix, environment: environment, options: variableOptions))
                PrefsLayer(.arguments, arguments)
            }
            #if DEBUG
                PrefsLayer.debug(debug())
            #endif
            PrefsLayer.overrides
        }
    }

    /// Creates the stack of a system daemon, from the lowest layer to the highest: `defaults` · `system` ·
    /// `environment` · `arguments` · `debug` (in debug builds of this library) · `overrides`.
    ///
    /// The layer `system` has the files of ``PrefsFileLocations/daemon(_:root:)``. A write to it goes to the
    /// administrator's main file, `/etc/relay/relay.toml`, if that is a regular file, and to the drop-in
    /// `/etc/relay/relay.toml.d/90-local.toml` otherwise, because a new main file would hide the vendor's. If a later
    /// drop-in sets the key, the outcome is ``PrefsWriteOutcome/shadowed(by:)``.
    ///
    /// The arguments `--config FILE` or `--config=FILE` put one file in the place of all main files; drop-ins and locks
    /// stay. It has to exist: otherwise creating a ``Live`` configuration throws, and if it is removed later, what it
    /// contained stays. Writes go to it. No flag sets a key of the name `config`.
    ///
    /// An option that is one letter away from `--config` or `--check-config` is an error with the
    /// ``PrefsError/exitStatus`` 64, so that a misspelt check does not start the daemon. If it is an option of your program,
    /// say so with ``ArgumentsPrefsStorage/Style/besides(_:)``.
    ///
    /// A set-uid process has no `environment` and `arguments` layers, because its caller must not choose its settings, and
    /// writes that name no layer throw.
    ///
    /// With `StateDirectory=` in its unit, a ``Live`` configuration starts with what was accepted last if the files are
    /// wrong, see ``StartContents/lastAccepted(in:includingSecrets:)``.
    ///
    /// - Parameters:
    ///   - name: The program's name, which names the folders and files.
    ///   - defaults: Values given in code, below every file.
    ///   - root: The folder that contains `usr`, `run` and `etc`.
    ///   - environment: The environment variables; by default this process's.
    ///   - prefix: The prefix of the program's environment variables; by default `RELAY_` for `relay`.
    ///   - arguments: The command line without the program's name; by default this process's.
    ///   - argumentsStyle: The way in which arguments set keys.
    ///   - debug: The storage of the layer `debug`, such as `.file(at: "debug.toml")`; by default one in memory. A release
    ///     build of this library does not create it.
    ///   - coalescing: The way in which edits of files that follow each other closely are combined into one
    ///     commit; by default that of `options`.
    ///   - options: The options for reading and watching the files and for reporting problems.
    public static func daemon(
        _ name: String,
        defaults: [String: PrefsValue] = [:],
        root: String = "/",
        environment: [String: String] = PrefsFileLocations.trustedEnvironment,
        prefix: String? = nil,
        arguments: [String] = Array(ProcessInfo.processInfo.arguments.dropFirst()),
        argumentsStyle: ArgumentsPrefsStorage.Style = .settings,
        debug: @autoclosure () -> any PrefsStorage = DictionaryPrefsStorage(),
        coalescing: PrefsCoalescing? = nil,
        options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) -> PrefsStack {
        var locations = PrefsFileLocations.daemon(name, root: root)
        let named = ConfigurationArgument(arguments)
        if !ProcessPrivilege.isRaised { locations.namedMain = named.file }
        let storage = stack(
            defaults, locations, environment, prefix: prefix ?? EnvironmentName.prefix(forDomain: name),
            ArgumentsPrefsStorage(
                named.others, style: argumentsStyle, problem: named.problem,
                options: [ConfigurationArgument.flag, ConfigurationArgument.checkingFlag]),
            debug, coalescing, options)
        storage.startContents.withLock { $0 = .daemon(environment) }
        return storage
    }
}

extension EnvironmentPrefsStorage.Options {
    /// Creates the options that a file storage's options correspond to.
    fileprivate init(_ options: FilePrefsStorage.Options) {
        (policy, coalescing) = (options.policy, options.coalescing)
        (watcher, diagnostics) = (options.watcher, options.diagnostics)
    }
}

/// The user's file of a process that has none: it is empty, and cannot be written.
///
/// It keeps the layer `user` in a stack. Without the layer, a setting of one user would be written to a file that belongs to all
/// of them.
final class MissingUserStorage: SelfContainedPrefsStorage {
    /// The reason why there is no file.
    let reason: String
    private let published = PublishedSource(.empty)

    init() {
        reason =
            ProcessPrivilege.isRaised
            ? "a set-uid program writes no settings for its caller"
            : "there is no user's file, because neither XDG_CONFIG_HOME nor HOME is an absolute path"
    }

    var snapshot: PrefsSnapshot { published.snapshot }
    var changeSource: PrefsChangeSource? { published.changes }
    var isWritable: Bool { false }
    var isPersistent: Bool { false }

    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome { throw error(key) }

    func error(_ key: String?) -> PrefsError {
        PrefsError(.notWritable, key: key, origin: PrefsOrigin(layer: "user"), reason: reason)
    }
}
