/// The settings that a configuration starts with if its files are invalid.
///
/// ```swift
/// let relay = try Live(Relay(), storage, startWith: .lastAccepted(in: "/var/lib/relay"))
/// ```
public struct StartContents: Sendable, Hashable {
    /// The folder of the settings that were accepted last; `nil` for none.
    let folder: String?
    let includesSecrets: Bool
    /// The time after which the program counts as having started.
    var probation = Duration.seconds(10)

    /// Only the files. If they have problems, the start throws all of them.
    public static let files = StartContents(folder: nil, includesSecrets: false)

    /// The last accepted settings, for a layer with a file that cannot be read or has a rejected value.
    ///
    /// The accepted files are saved in the folder, byte for byte, in a private file, whenever their values change.
    /// The files at a start may have values that the program cannot work with. So if there are files from an
    /// earlier run, they are replaced only when the program has run for ten seconds, or when it has accepted newer
    /// values.
    ///
    /// If a layer has a problem at the start, it reads the saved files instead of its own, drop-ins included. The
    /// saved files keep their unknown keys, and messages give their lines. A drop-in that was missing, hidden or
    /// masked when the files were saved is missing, hidden or masked again. A warning gives the age of the saved
    /// files. If a problem belongs to no single layer, such as a broken rule, all layers read their saved files.
    /// The present files are rejected, like an edit of a running program, until they are fixed. Key locks still
    /// come from the present files. If the program cannot start with the saved settings, either, creating the
    /// configuration throws, and the layers keep the contents of their files. A change that only an
    /// ``Live/apply(_:_:)`` handler had rejected is tried again.
    ///
    /// Only layers with the scope ``RejectionScope/source`` are saved. The files of such a layer are accepted or
    /// rejected together. Variables, arguments and a user's file are not saved.
    ///
    /// - Parameters:
    ///   - folder: A folder that belongs to the program and to one stack, such as the folder in
    ///     `$STATE_DIRECTORY`. It is created if it is missing.
    ///     ``PrefsStack/daemon(_:defaults:root:environment:prefix:arguments:argumentsStyle:debug:coalescing:options:)``
    ///     uses the folder in `$STATE_DIRECTORY` automatically.
    ///   - includingSecrets: Whether secrets are saved, too. By default, the secrets that the program has declared
    ///     are removed from the saved files, as a write would remove them. Undeclared values whose names suggest a
    ///     secret are removed, too. The lines below a removed value move up. The start then takes secrets from the
    ///     present file if it can be read. Otherwise they are missing, and an error names them. If your program
    ///     cannot run without a secret, declare it `required`; then the program does not start without it. If a
    ///     secret cannot be removed, for example because a comment repeats it, its layer is not saved, and a
    ///     warning says why.
    public static func lastAccepted(in folder: String, includingSecrets: Bool = false) -> StartContents {
        StartContents(folder: folder, includesSecrets: includingSecrets)
    }

    /// The settings that were accepted last, if systemd has given the service a folder with `StateDirectory=`;
    /// otherwise, only the files.
    static func daemon(_ environment: [String: String]) -> StartContents {
        guard let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/")
        else {
            return .files
        }
        return .lastAccepted(in: String(folder))
    }
}
