public import PrefsDocuments
public import FoundationEssentials
import PrefsSystem

extension PrefsStack {
    /// Creates the standard stack of a domain.
    ///
    /// The layers, from the lowest to the highest, are `defaults` · `system` · `user` · `environment` ·
    /// `arguments` · `debug` (in debug builds of this library) · `overrides`.
    ///
    /// Writes that name no layer go to the user's file. They throw if there is no such file because neither `HOME`
    /// nor `XDG_CONFIG_HOME` is an absolute path. They do not go to the administrator's file instead, because it
    /// belongs to all users.
    ///
    /// In a set-uid process, the caller must not choose the program's settings. So the stack has no layers
    /// `environment` and `arguments`, and its layer `user` is empty and read-only.
    ///
    /// - Parameters:
    ///   - domain: The program's name in reverse-DNS form. The files are named after it.
    ///   - folder: The name of a folder in `~/.config` for the user's file. For example, `"notes"` means
    ///     `~/.config/notes/notes.plist`. By default, the file is `~/.config/<domain>.plist`.
    ///   - format: The format of a file that a write creates where no file or folder of that name exists. Existing
    ///     files may have any format, and keep it.
    ///   - defaults: The values of the layer `defaults`, below every file.
    ///   - locations: The locations of the files, instead of the locations that `folder` and `format` describe.
    ///     The default is the domain's standard locations.
    ///   - environment: The environment variables. The default is the environment of this process.
    ///   - prefix: The prefix of the domain's environment variables. By default, it is derived from the last part
    ///     of the domain: `MYD_` for `com.example.myd`.
    ///   - arguments: The command line without the program's name. The default is the command line of this
    ///     process.
    ///   - argumentsStyle: The syntax of arguments that set keys.
    ///   - debug: The storage of the layer `debug`, such as `.file(at: "debug.toml")`. The default is a storage in
    ///     memory. A release build of this library does not create the storage.
    ///   - coalescing: The policy that combines edits of files into one commit if they follow each other closely.
    ///     The default is the policy in `options`.
    ///   - options: The options for reading and watching the files, and for reporting problems.
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

    /// Creates the stack of a system daemon.
    ///
    /// The layers, from the lowest to the highest, are `defaults` · `system` · `environment` · `arguments` ·
    /// `debug` (in debug builds of this library) · `overrides`.
    ///
    /// The layer `system` has the files of ``PrefsFileLocations/daemon(_:root:)``. A write to it goes to the
    /// administrator's main file, `/etc/relay/relay.toml`, if that is a regular file. Otherwise it goes to the
    /// drop-in `/etc/relay/relay.toml.d/90-local.toml`, because a new main file would hide the vendor's. If a
    /// later drop-in sets the key, the outcome is ``PrefsWriteOutcome/shadowed(by:)``.
    ///
    /// The argument `--config FILE`, or `--config=FILE`, replaces all main files with one file. Drop-ins and locks
    /// stay, and writes go to the named file. If the file is missing at the start, creating a ``Live``
    /// configuration throws. If the file is removed later, the program keeps its previous contents. No flag sets a
    /// key named `config`.
    ///
    /// An option that is one letter away from `--config` or `--check-config` is an error with the
    /// ``PrefsError/exitStatus`` 64. So a misspelled check does not start the daemon. If your program has such an
    /// option, declare it with ``ArgumentsPrefsStorage/Style/besides(_:)``.
    ///
    /// In a set-uid process, the caller must not choose the program's settings. So the stack has no layers
    /// `environment` and `arguments`, and writes that name no layer throw.
    ///
    /// If the unit of the daemon has `StateDirectory=`, a ``Live`` configuration starts with the last accepted
    /// settings when the files are invalid. See ``StartContents/lastAccepted(in:includingSecrets:)``.
    ///
    /// - Parameters:
    ///   - name: The program's name. The folders and files are named after it.
    ///   - defaults: The values of the layer `defaults`, below every file.
    ///   - root: The folder that contains `usr`, `run` and `etc`.
    ///   - environment: The environment variables. The default is the environment of this process.
    ///   - prefix: The prefix of the program's environment variables. By default, it is derived from `name`:
    ///     `RELAY_` for `relay`.
    ///   - arguments: The command line without the program's name. The default is the command line of this
    ///     process.
    ///   - argumentsStyle: The syntax of arguments that set keys.
    ///   - debug: The storage of the layer `debug`, such as `.file(at: "debug.toml")`. The default is a storage in
    ///     memory. A release build of this library does not create the storage.
    ///   - coalescing: The policy that combines edits of files into one commit if they follow each other closely.
    ///     The default is the policy in `options`.
    ///   - options: The options for reading and watching the files, and for reporting problems.
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
    /// Creates the options that correspond to a file storage's options.
    fileprivate init(_ options: FilePrefsStorage.Options) {
        (policy, coalescing) = (options.policy, options.coalescing)
        (watcher, diagnostics) = (options.watcher, options.diagnostics)
    }
}

/// A placeholder for the user's file in a process that has none. It is empty, and cannot be written.
///
/// It keeps the layer `user` in a stack. Without the layer, a setting of one user would be written to a file that
/// belongs to all users.
final class MissingUserStorage: SelfContainedPrefsStorage {
    /// The reason why there is no file.
    let reason: String
    private let published = PublishedSource(.empty)

    init() {
        reason =
            ProcessPrivilege.isRaised
            ? "not written because a set-uid program writes no settings for its caller"
            : "there is no user's file, because neither XDG_CONFIG_HOME nor HOME is an absolute path; set one of them"
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
