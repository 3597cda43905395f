import FoundationEssentials
import PrefsDocuments
import PrefsSystem

/// What a configuration starts with if its files are wrong.
///
/// ```swift
/// let relay = try Live(Relay(), storage, startWith: .lastAccepted(in: "/var/lib/relay"))
/// ```
public struct StartContents: Sendable, Hashable {
    /// The folder of the settings that were accepted last; `nil` for none.
    let folder: String?
    let includesSecrets: Bool

    /// The files, and nothing else: the start throws every problem.
    public static let files = StartContents(folder: nil, includesSecrets: false)

    /// The settings that the program accepted last, for a layer of which a file cannot be read or has a rejected value.
    ///
    /// They are saved in the folder whenever they change, in a private file. All files of such a layer, with its drop-ins,
    /// are then as they were, which is reported with their age; what they hold now is refused, as an edit of a running
    /// program is, until it is right. What only an ``Live/apply(_:_:)`` closure had refused is tried anew. The layers are
    /// those whose files are accepted or refused as one, ``PrefsLayer/Unit/version``; variables and arguments are no part
    /// of it, and neither is a user's file.
    ///
    /// - Parameters:
    ///   - folder: A folder that belongs to the program, such as the one in `$STATE_DIRECTORY`, which
    ///     ``LayeredPrefsStorage/daemon(_:defaults:root:environment:prefix:arguments:argumentsStyle:coalescing:options:)``
    ///     uses by itself. It is created if it is missing.
    ///   - includesSecrets: True to save secrets, too. Otherwise they are taken from the present file if it can be read,
    ///     and are missing if not.
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

/// Saves the settings that are in force whenever they change.
final class StartKeeper: Sendable {
    private let storage: LayeredPrefsStorage
    private let folder: String
    private let contents: StartContents
    /// What is saved, and whether the last attempt to save failed.
    private let saved: Lock<(files: AcceptedFiles, isFailing: Bool)>

    /// Returns `nil` if nothing is to be saved.
    init?(_ contents: StartContents, _ storage: LayeredPrefsStorage) {
        guard let folder = contents.folder else { return nil }
        self.storage = storage
        self.folder = storage.diagnostics.absolutePath(of: folder)
        self.contents = contents
        var files = AcceptedFiles()
        do throws(PrefsError) {
            files = try AcceptedFiles(savedIn: self.folder) ?? files
        } catch {
            storage.diagnostics.report(.warning, error)
        }
        saved = Lock((files, false))
    }

    /// Starts the layers that have problems with what was saved; returns false if nothing was saved of these layers.
    func start(because problems: [PrefsError]) -> Bool {
        let files = saved.withLock { $0.files }
        let layers = storage.start(with: files, because: problems)
        for layer in layers.sorted() {
            let time = Date(timeIntervalSince1970: TimeInterval(files.layers[layer]?.time ?? 0))
            let age = Duration.seconds(max(0, Int64(Date.now.timeIntervalSince(time))))
            storage.diagnostics.report(
                .warning,
                PrefsError(
                    .broken, origin: PrefsOrigin(layer: layer),
                    reason: """
                        started with the settings that were accepted last, at \(time.formatted(.iso8601)) \
                        (\(age.prefsText ?? "0s") ago); correct the files
                        """))
        }
        return !layers.isEmpty
    }

    /// Saves what is in force, unless that is saved already.
    func save(_ snapshot: PrefsSnapshot) {
        let failure = saved.withLock { saved -> PrefsDiagnostic? in
            let files = storage.acceptedFiles(
                in: snapshot, hidingSecrets: !contents.includesSecrets, after: saved.files)
            if files == saved.files, !saved.isFailing { return nil }
            do throws(PrefsError) {
                try files.save(in: folder)
                defer { saved = (files, false) }
                return saved.isFailing
                    ? PrefsDiagnostic(
                        .recovered,
                        PrefsError(
                            .unwritable, origin: PrefsOrigin(file: folder),
                            reason: "the accepted settings could be saved again")) : nil
            } catch {
                defer { saved.isFailing = true }
                return saved.isFailing ? nil : PrefsDiagnostic(.warning, error)
            }
        }
        if let failure { storage.diagnostics.report(failure.severity, failure.error) }
    }
}
