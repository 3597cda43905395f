/// The contents with which a configuration starts if its files are wrong.
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

    /// The files, and nothing else: the start throws every problem.
    public static let files = StartContents(folder: nil, includesSecrets: false)

    /// The settings that the program accepted last, for a layer of which a file cannot be read or has a rejected value.
    ///
    /// The values of declared keys are saved in the folder whenever they change, in a private file; those of a start
    /// only when the program has run for ten seconds, if there are others from an earlier one, because it may be that
    /// it cannot work with them. In all files of such a layer, with its drop-ins, these values are then as they were,
    /// which is reported with their age; what the files hold now is refused, as an edit of a running program is, until
    /// it is right. If the program cannot start with that either, creating the configuration throws, and the layers
    /// stay as their files are. What only an ``Live/apply(_:_:)`` closure had refused is tried again. The layers are
    /// those whose files are accepted or refused as one, ``RejectionScope/source``; variables and arguments are no
    /// part of it, and neither is a user's file.
    ///
    /// - Parameters:
    ///   - folder: A folder that belongs to the program and to one stack, such as the one in `$STATE_DIRECTORY`, which
    ///     ``PrefsStack/daemon(_:defaults:root:environment:prefix:arguments:argumentsStyle:debug:coalescing:options:)``
    ///     uses by itself. It is created if it is missing.
    ///   - includingSecrets: True to save secrets, too. Otherwise only their names are saved: they are taken from the present
    ///     file if it can be read, and are missing if not, which is an error that names them; a program that cannot do
    ///     without one declares it `required`, and then does not start. Missing is also whatever no configuration had
    ///     declared when the settings were saved.
    public static func lastAccepted(in folder: String, includingSecrets: Bool = false) -> StartContents {
        StartContents(folder: folder, includesSecrets: includingSecrets)
    }

    /// The settings that were accepted last, if systemd has given the service a folder with `StateDirectory=`.
    static func daemon(_ environment: [String: String]) -> StartContents {
        guard let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first, folder.hasPrefix("/")
        else {
            return .files
        }
        return .lastAccepted(in: String(folder))
    }
}
