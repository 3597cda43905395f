import PrefsDocuments
import PrefsSystem

/// The choice of the file that a storage reads, if there are several files of one name in different formats.
/// A folder of drop-ins is chosen in the same way.
///
/// The most important place that has any file counts. Only one file may exist in it. While there are several,
/// the one in use stays in use and is not read again, because no other file may quietly replace a policy. If
/// none was in use, the first of them is chosen.
struct FormatChoice {
    enum Decision: Hashable {
        /// Read ``FormatChoice/path``.
        case read
        /// Decide again after ``FormatChoice/patience``, because one file may be about to replace the other.
        case wait
        /// There are several files, and they stay.
        case conflict(PrefsError)
    }

    /// The time that two files may exist without a report, so that one can replace the other.
    static let patience = Duration.milliseconds(500)

    /// The paths of the files or folders in each place, the most important place and the preferred path first.
    private(set) var places: [[String]]
    private let areFolders: Bool
    /// The path in use; the preferred one if there is no file.
    private(set) var path: String
    private var conflictSince: Duration?

    /// - Parameter places: The paths in each place. There is at least one place, and each has at least one path.
    init(places: [[String]], areFolders: Bool = false) {
        self.places = places
        self.areFolders = areFolders
        path = places[0][0]
    }

    /// Creates the choice of one place.
    init(_ paths: [String], areFolders: Bool = false) { self.init(places: [paths], areFolders: areFolders) }

    /// All paths, the preferred one first.
    var paths: [String] {
        get { places.count == 1 ? places[0] : places.flatMap(\.self) }
        set { places = [newValue] }
    }

    /// True if the path in use is not the only one.
    var hasAlternatives: Bool { places.count > 1 || places[0] != [path] }

    /// Returns the path. If its extension belongs to a format, also returns the paths of the same name in
    /// other formats.
    static func paths(for path: String) -> [String] {
        guard let stem = PrefsFileFormat.stem(of: path) else { return [path] }
        return [path] + PrefsFileFormat.extensions.map { "\(stem).\($0)" }.filter { $0 != path }
    }

    /// - Parameters:
    ///   - present: The paths of existing files, or of folders with drop-ins, in the same order as `paths`.
    ///   - isFinal: True if the decision cannot wait.
    ///   - now: The time since a fixed moment.
    mutating func decide(present: [String], isFinal: Bool, at now: Duration) -> Decision {
        let candidates = places.lazy.map { $0.filter(present.contains) }.first { !$0.isEmpty } ?? []
        guard candidates.count > 1 else {
            conflictSince = nil
            path = candidates.first ?? places[0][0]
            return .read
        }
        if !present.contains(path) { path = candidates[0] }
        let start = conflictSince ?? now
        conflictSince = start
        return isFinal || now - start >= Self.patience ? .conflict(error(candidates)) : .wait
    }

    /// Looks for the files or folders and decides, unless there is nothing to choose from.
    ///
    /// - Parameter isPresent: Returns true if a file exists, or if a folder has drop-ins.
    mutating func decide(
        isFinal: Bool, at now: Duration, _ isPresent: (String) -> Bool
    ) -> Decision {
        guard hasAlternatives else { return .read }
        let present = paths.filter(isPresent)
        let candidates = places.lazy.map { $0.filter(present.contains) }.first { !$0.isEmpty } ?? []
        // If a folder cannot be searched, every name in it may exist. Reading one of them finds the problem.
        if candidates.count > 1, candidates.allSatisfy({ fileStatus(of: $0) == nil }) {
            if !candidates.contains(path) { path = candidates[0] }
            return .read
        }
        return decide(present: present, isFinal: isFinal, at: now)
    }

    private func error(_ present: [String]) -> PrefsError {
        let others = present.dropFirst().joined(separator: " and ")
        if areFolders {
            return PrefsError(
                .ambiguous, origin: PrefsOrigin(file: present[0]),
                reason:
                    "there is also \(others), but only one of these folders may have drop-ins; move all into one of them"
            )
        }
        return PrefsError(
            .ambiguous, origin: PrefsOrigin(file: present[0]),
            reason:
                "there is also \(others), but a name may exist in one format only; remove all but one of them"
        )
    }
}
