import FoundationEssentials
import PrefsDocuments

/// The newest revisions of a stack's sources that are rejected, in whose place something earlier stays in force.
struct RejectedRevisions: Sendable {
    typealias Name = PrefsSnapshot.Part.Name

    /// A version that is rejected, or some of its values.
    struct Rejection: Sendable {
        /// The newest version; `nil` if the source is gone.
        var version: PrefsSource?
        /// The values that stay, if the others of the version are in force; `nil` if the whole version is rejected.
        private(set) var values: [KeptValue]?
        /// True if the program has started with what was accepted last in place of the version.
        var isSinceStart = false
        /// The problems.
        var errors: [PrefsError] = []
        /// The values that are wrong, by the places of their errors. Of an element, only the list as a whole would be known,
        /// of which another element may change.
        private var wrongValues: [ErrorPlace: PrefsValue] = [:]
        /// The time from which on there has been a rejected version.
        fileprivate(set) var since = Date()

        init(version: PrefsSource?, values: [KeptValue]? = nil) {
            (self.version, self.values) = (version, values)
        }

        var rejectsRevision: Bool { values == nil }

        /// True if the program is being asked about the version, which may have been rejected before.
        var isOffered = false

        /// True if the program has not decided on the version yet.
        var isPending: Bool { rejectsRevision && errors.isEmpty }

        /// Returns true if the newest value at a path is rejected.
        func isRejected(_ path: PrefsPath) -> Bool {
            guard let values else { return true }
            return values.contains { $0.path.contains(path) }
        }

        /// - Parameter value: The value that is wrong, if it is only one.
        mutating func add(_ error: PrefsError, of value: PrefsValue? = nil) {
            if !errors.contains(error) { errors.append(error) }
            if let place = ErrorPlace(error), let value { wrongValues[place] = value }
        }

        mutating func keep(_ entry: KeptValue, _ error: PrefsError, of value: PrefsValue?) {
            values?.removeAll { entry.path.contains($0.path) }
            values?.append(entry)
            add(error, of: value)
        }

        /// Returns true if the value that an error is about is the one before; `nil` if that is not known. The words of the
        /// error do not always show it: not of a secret, and others if a lock reserves a part.
        func hasSameValue(as before: Self, in error: PrefsError) -> Bool? {
            guard let place = ErrorPlace(error), let value = wrongValues[place],
                let old = before.wrongValues[place]
            else { return nil }
            return value == old
        }

        /// The key and the file of an error; `nil` for one of an element.
        private struct ErrorPlace: Hashable {
            let key: String
            let file: String?

            init?(_ error: PrefsError) {
                guard let key = error.key, !key.contains("[") else { return nil }
                (self.key, file) = (key, error.origin?.file)
            }
        }
    }

    private(set) var all: [Name: Rejection] = [:]
    /// The files that have been reported as rejected, and not as recovered since.
    private var rejectedPlaces: Set<Name> = []

    /// Returns an error for which some revisions are rejected with a place, if it names none: the first of these revisions, so
    /// that one problem is one, however many files are rejected for it.
    static func located(_ error: PrefsError, of rejections: [Name: Rejection]) -> PrefsError {
        if error.origin != nil { return error }
        let names = rejections.filter { $1.errors.contains(error) }.map(\.key)
        return names.min { $0.precedes($1) }.map { error.located(in: $0) } ?? error
    }

    /// Returns the files without a mistake whose revisions are rejected for an error, sorted. A file that is gone is none of
    /// them: another one may only hide it.
    ///
    /// - Parameter places: The files of the errors.
    private static func heldBack(
        by error: PrefsError, _ rejections: [Name: Rejection], _ places: [PrefsError: Name]
    ) -> [String] {
        let wrong = Set(places.values)
        let held = rejections.filter { name, rejection in
            rejection.rejectsRevision && !rejection.isOffered && rejection.version?.isAbsent == false
                && rejection.errors.contains(error) && !wrong.contains(name)
        }
        return held.keys.compactMap(\.file).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Returns the files of the errors for which some revisions are rejected.
    private static func places(of rejections: [Name: Rejection]) -> [PrefsError: Name] {
        var places: [PrefsError: Name] = [:]
        for error in rejections.values.flatMap(\.errors) where places[error] == nil {
            places[error] = located(error, of: rejections).origin.map { Name(layer: $0.layer, file: $0.file) }
        }
        return places
    }

    /// Returns the files that have been reported as rejected, of which another decision rejects nothing.
    func recovered(by rejections: [Name: Rejection]) -> Set<Name> {
        if rejectedPlaces.isEmpty { return [] }
        // What the program has not decided on yet may still be rejected.
        let undecided = Set(rejections.lazy.filter { $1.isPending || $1.isOffered }.map(\.key.layer))
        let rejected = Set(rejections.flatMap { $1.isOffered ? [] : $1.places($0) })
        return rejectedPlaces.subtracting(rejected).filter { !undecided.contains($0.layer) }
    }

    /// Takes in a decision, and returns what to report: each problem of a rejected version once, and each recovery.
    mutating func replace(with rejections: [Name: Rejection]) -> [PrefsDiagnostic] {
        var reports: [PrefsDiagnostic] = []
        // The files of a layer that changed together have their problems in common.
        func report(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError) {
            let diagnostic = PrefsDiagnostic(severity, error)
            if !reports.contains(diagnostic) { reports.append(diagnostic) }
        }
        let rejections = carryingOver(rejections)
        let places = Self.places(of: rejections)
        var (next, reported) = (rejections, Set<PrefsError>())
        for (name, rejection) in rejections.sorted(by: { $0.key.precedes($1.key) }) {
            let before = all[name]
            if let before { next[name]?.since = before.since }
            let isWrong = rejection.errors.contains { places[$0] == name }
            for error in rejection.newErrors(since: before) {
                // The other files of the layer have their own reports, which a file without a mistake repeats.
                if isWrong, let place = places[error], place != name,
                    rejections[place]?.errors.contains(error) == true
                {
                    continue
                }
                guard reported.insert(error).inserted else { continue }
                let held = Self.heldBack(by: error, rejections, places)
                report(.error, Self.located(error, of: rejections).notApplied(rejection, holdingBack: held))
            }
        }
        for place in recovered(by: next) {
            rejectedPlaces.remove(place)
            report(
                .recovered, PrefsError(.invalid, reason: "now using the new version").located(in: place))
        }
        // What is only a value now has its own recovery.
        rejectedPlaces.subtract(next.flatMap { $1.rejectsRevision ? [] : $1.places($0) })
        rejectedPlaces.formUnion(
            next.flatMap { $1.isOffered || !$1.rejectsRevision ? [] : $1.places($0) })
        for (name, rejection) in all where !rejection.rejectsRevision {
            for error in rejection.recoveries(in: next[name]) {
                report(.recovered, error.located(in: name))
            }
        }
        all = next
        return reports
    }

    /// Returns rejections in which those count as rejected since the start whose revision has been since then. What the program
    /// is being asked about again keeps its errors until then.
    private func carryingOver(_ rejections: [Name: Rejection]) -> [Name: Rejection] {
        var next = rejections
        for (name, rejection) in rejections where rejection.isOffered || !all.isEmpty {
            guard let before = all[name], before.isSinceStart || rejection.isOffered,
                PrefsSource.haveSameContents(before.version, rejection.version)
            else { continue }
            next[name]?.isSinceStart = before.isSinceStart
            if rejection.isOffered, before.rejectsRevision {
                for error in before.errors { next[name]?.add(error) }
            }
        }
        return next
    }

    /// Returns the problems of what has been rejected since a time or longer, worded as repeated reports.
    func repetitions(since time: Date) -> [PrefsDiagnostic] {
        var reports: [PrefsDiagnostic] = []
        let places = Self.places(of: all)
        for rejection in all.values where rejection.since <= time {
            for error in rejection.errors {
                let held = Self.heldBack(by: error, all, places)
                var error = Self.located(error, of: all).notApplied(rejection, holdingBack: held)
                error.reason += "; rejected since \(rejection.since.formatted(.iso8601))"
                let report = PrefsDiagnostic(.error, error)
                if !reports.contains(report) { reports.append(report) }
            }
        }
        return reports
    }
}

extension RejectedRevisions.Rejection {
    /// Returns the errors that have not been reported with the rejection before: of one value, one for each key of a revision.
    fileprivate func newErrors(since before: Self?) -> [PrefsError] {
        // The file itself has reported why it cannot be read.
        guard let before else { return isSinceStart ? errors.filter { !$0.isOfWholeFile } : errors }
        let isSameVersion = PrefsSource.haveSameContents(before.version, version)
        if rejectsRevision, !isOffered, !before.rejectsRevision || !isSameVersion { return errors }
        return errors.filter { error in
            let hasSameValue = hasSameValue(as: before, in: error)
            let isSameEdit = isSameVersion && (!rejectsRevision || hasSameValue == true)
            return !before.errors.contains {
                $0.isSameProblem(as: error) && hasSameValue != false || isSameEdit && $0.key == error.key
            }
        }
    }

    /// The files in which the problems stand for which the version, or some of its values, are rejected: it may be that of
    /// another file of the layer.
    fileprivate func places(_ name: RejectedRevisions.Name) -> [RejectedRevisions.Name] {
        errors.compactMap { $0.located(in: name).origin }.map {
            RejectedRevisions.Name(layer: $0.layer, file: $0.file)
        }
    }

    /// Returns the errors of values that the next rejection of the source ends, one for each key, worded as recoveries.
    fileprivate func recoveries(in next: Self?) -> [PrefsError] {
        var keys = Set(next?.errors.map(\.key) ?? [])
        return errors.filter { keys.insert($0.key).inserted }.map { error in
            var error = error
            error.reason = "now using the new value"
            return error
        }
    }
}

extension PrefsError {
    fileprivate func isSameProblem(as other: PrefsError) -> Bool {
        key == other.key && code == other.code && reason == other.reason
            && origin?.layer == other.origin?.layer
    }

    /// Returns the error with the source that is rejected, if it names none: it is one of the values of all layers.
    func located(in source: RejectedRevisions.Name) -> PrefsError {
        guard origin == nil else { return self }
        var error = self
        error.origin = PrefsOrigin(
            layer: source.layer, file: source.file.map { String(decoding: $0, as: UTF8.self) })
        return error
    }

    /// True for the problem of a file that cannot be read, and not of one of its values.
    fileprivate var isOfWholeFile: Bool {
        let codes: Set<Code> = [.syntax, .tooLarge, .unreadable, .notARegularFile, .untrusted, .ambiguous]
        return key == nil && origin?.file != nil && codes.contains(code)
    }

    /// Returns the error with its consequence.
    ///
    /// - Parameter files: Other files, in which nothing is wrong, and whose new revisions are not active because of it.
    fileprivate func notApplied(_ rejection: RejectedRevisions.Rejection, holdingBack files: [String])
        -> PrefsError
    {
        let consequence =
            if rejection.isSinceStart {
                "using the last accepted version"
            } else {
                rejection.rejectsRevision ? "keeping the previous version" : "keeping the previous value"
            }
        var error = self
        error.reason += "; \(consequence)"
        if !files.isEmpty, rejection.rejectsRevision, !rejection.isSinceStart {
            error.reason += ", also of \(files.shortened)"
        }
        return error
    }
}

extension RejectedRevisions.Name {
    /// The order in which files are named.
    fileprivate func precedes(_ other: Self) -> Bool {
        if layer != other.layer { return (layer ?? "") < (other.layer ?? "") }
        return (file ?? []).lexicographicallyPrecedes(other.file ?? [])
    }
}
