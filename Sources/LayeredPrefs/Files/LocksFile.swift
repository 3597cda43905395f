import PrefsFiles
import PrefsDocuments

/// A `<domain>.locks` file. It lists the keys, or prefixes of keys, that the layers above cannot override.
///
/// Each line names one key and locks it and everything below it; ``LocksDocument`` defines the syntax:
///
///     http.*         # locks http, http.port and every other key below http
///     logging.level  # locks one key
///
/// If the file exists but cannot be read, or contains an invalid line, more keys are locked: every key that
/// the file's layer sets, the keys of the valid lines, and the keys of the last good version.
final class LocksFile: Sendable {
    /// The active locks, and the reason why they may be incomplete.
    struct Content: Sendable, Equatable {
        /// The locked keys.
        var entries: [LocksDocument.Entry] = []
        /// The locked keys of the last version without a problem.
        var lastGood: [LocksDocument.Entry] = []
        /// The reason why the file cannot be read or understood now.
        var problem: PrefsError?

        fileprivate init() {}

        /// Creates the contents that follow `previous`.
        fileprivate init(_ version: Result<LocksDocument, PrefsError>, after previous: Content) {
            do throws(PrefsError) {
                let document = try version.get()
                problem = document.problem
                lastGood = problem == nil ? document.entries : previous.lastGood
                entries = problem == nil ? document.entries : document.entries + lastGood
            } catch {
                (entries, lastGood, problem) = (previous.entries, previous.lastGood, error)
                problem?.reason += LocksDocument.consequence
            }
        }
    }

    /// The file as the place of a source. Its contents are not values.
    private struct Place: SourcePlace {
        let path: String
        let options: FilePrefsStorage.Options
        var content = Content()

        mutating func read(_ reading: inout SourceReading) throws(PrefsError) -> Bool {
            guard let version = load(&reading) else { return false }
            let next = Content(version, after: content)
            if next != content { reading.publish(nil, didChange: true) }
            content = next
            if let problem = next.problem { throw problem }
            return true
        }

        /// Reads the file. Returns `nil` while the file is being written, or is missing for a moment only.
        private func load(_ reading: inout SourceReading) -> Result<LocksDocument, PrefsError>? {
            do throws(PrefsError) {
                let file = try PrefsFileReader.read(path, limits: options.limits, policy: options.policy)
                guard reading.versions.mayUse(file?.signature, at: path) else { return nil }
                return .success(LocksDocument(parsing: file?.bytes ?? [], path: path))
            } catch {
                return reading.versions.isBeingWritten(path) ? nil : .failure(error)
            }
        }
    }

    let path: String
    private let source: WatchedSource<Place>

    /// - Parameter changes: The announcer of the changes.
    init(path: String, options: FilePrefsStorage.Options, changes: PrefsChangeSource) {
        self.path = path
        source = WatchedSource(Place(path: path, options: options), changes: changes, options: options)
        source.start(watching: [path])
    }

    var current: Content { source.withPlace { $0.content } }

    /// The state of the file, which has neither values nor generations.
    var status: PrefsSourceStatus {
        var status = source.status(file: path)
        (status.lastGood, status.generation, status.holdsLocks) = (nil, nil, true)
        return status
    }

    func refresh(_ cause: PrefsChangeCause) -> PrefsNotification? { source.refresh(cause) }
}
