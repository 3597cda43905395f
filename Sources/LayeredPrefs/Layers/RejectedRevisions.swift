import FoundationEssentials
import PrefsDocuments

/// Revisions that are rejected, revisions with rejected values, and revisions that wait for handlers. In the
/// meantime, the source's previous revision, or its previous values, stay active.
struct RejectedRevisions: Sendable {
    typealias Name = PrefsSnapshot.Part.Name

    /// The rejection of a revision, or of some of its values.
    struct Rejection: Sendable {
        /// The newest revision; `nil` if the source is gone.
        var revision: PrefsSource?
        /// The previous values that stay active, if the rest of the revision is active; `nil` if all of it is
        /// rejected.
        private(set) var values: [KeptValue]?
        /// True if the program has started with the last known good files instead of the revision.
        var isSinceStart = false
        /// The problems.
        var errors: [PrefsError] = []
        /// The wrong values, by the places of their errors. Elements of lists are not included, because only the
        /// whole list is known, and another element of it may change.
        private var wrongValues: [ErrorPlace: PrefsValue] = [:]
        /// The time when the rejection began. It stays the same while one rejection of the source follows another.
        fileprivate(set) var since = Date()

        init(revision: PrefsSource?, values: [KeptValue]? = nil) {
            (self.revision, self.values) = (revision, values)
        }

        var rejectsRevision: Bool { values == nil }

        /// True if the revision is being proposed to the handlers. It may have been rejected before.
        var isProposed = false

        /// True if the revision waits for handlers, and had no problem before.
        var isPending: Bool { rejectsRevision && errors.isEmpty }

        /// Returns true if the newest value at a path is rejected.
        func isRejected(_ path: PrefsPath) -> Bool {
            guard let values else { return true }
            return values.contains { $0.path.contains(path) }
        }

        /// - Parameter value: The wrong value, if the error is about a single one.
        mutating func add(_ error: PrefsError, of value: PrefsValue? = nil) {
            if !errors.contains(error) { errors.append(error) }
            if let place = ErrorPlace(error), let value { wrongValues[place] = value }
        }

        mutating func keep(_ entry: KeptValue, _ error: PrefsError, of value: PrefsValue?) {
            values?.removeAll { entry.path.contains($0.path) }
            values?.append(entry)
            add(error, of: value)
        }

        /// Returns true if the value of an error has not changed since a previous rejection; `nil` if that is not
        /// known. The error's sentence does not always show this: it never quotes a secret, and it changes when a
        /// key lock covers a part.
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
    /// The files that were reported as rejected, without a recovery since.
    private var rejectedPlaces: Set<Name> = []

    /// Returns an error of some rejections with a place. An error without a place gets the first of the rejected
    /// files. So one problem is reported once, however many files it rejects.
    static func located(_ error: PrefsError, of rejections: [Name: Rejection]) -> PrefsError {
        if error.origin != nil { return error }
        let names = rejections.filter { $1.errors.contains(error) }.map(\.key)
        return names.min { $0.precedes($1) }.map { error.located(in: $0) } ?? error
    }

    /// Returns the correct files that are rejected because of an error in another file, sorted. Files that are
    /// gone are not included, because another file may only hide them.
    ///
    /// - Parameter places: The files of the errors.
    private static func heldBack(
        by error: PrefsError, _ rejections: [Name: Rejection], _ places: [PrefsError: Name]
    ) -> [String] {
        let wrong = Set(places.values)
        let held = rejections.filter { name, rejection in
            rejection.rejectsRevision && !rejection.isProposed && rejection.revision?.isAbsent == false
                && rejection.errors.contains(error) && !wrong.contains(name)
        }
        return held.keys.compactMap(\.file).map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    /// Returns the file of each error of some rejections.
    private static func places(of rejections: [Name: Rejection]) -> [PrefsError: Name] {
        var places: [PrefsError: Name] = [:]
        for error in rejections.values.flatMap(\.errors) where places[error] == nil {
            places[error] = located(error, of: rejections).origin.map { Name(layer: $0.layer, file: $0.file) }
        }
        return places
    }

    /// Returns the files that were reported as rejected, and no longer are.
    func recovered(by rejections: [Name: Rejection]) -> Set<Name> {
        if rejectedPlaces.isEmpty { return [] }
        // Handlers that have not answered yet may still reject a file.
        let undecided = Set(rejections.lazy.filter { $1.isPending || $1.isProposed }.map(\.key.layer))
        let rejected = Set(rejections.flatMap { $1.isProposed ? [] : $1.places($0) })
        return rejectedPlaces.subtracting(rejected).filter { !undecided.contains($0.layer) }
    }

    /// Records a decision. Returns the reports: each problem of a rejected revision once, and each recovery once.
    mutating func replace(with rejections: [Name: Rejection]) -> [PrefsDiagnostic] {
        var reports: [PrefsDiagnostic] = []
        // The files of a folder that changed together have the same problems.
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
                // Problems of other files are reported there.
                if isWrong, let place = places[error], place != name,
                    rejections[place]?.errors.contains(error) == true
                {
                    continue
                }
                guard reported.insert(error).inserted else { continue }
                let held = Self.heldBack(by: error, rejections, places)
                report(
                    .error, Self.located(error, of: rejections).withConsequence(rejection, holdingBack: held))
            }
        }
        for place in recovered(by: next) {
            rejectedPlaces.remove(place)
            report(
                .recovered, PrefsError(.invalid, reason: "now using the new version").located(in: place))
        }
        // Values that are rejected one by one have recoveries of their own.
        rejectedPlaces.subtract(next.flatMap { $1.rejectsRevision ? [] : $1.places($0) })
        rejectedPlaces.formUnion(
            next.flatMap { $1.isProposed || !$1.rejectsRevision ? [] : $1.places($0) })
        for (name, rejection) in all where !rejection.rejectsRevision {
            for error in rejection.recoveries(in: next[name]) {
                report(.recovered, error.located(in: name))
            }
        }
        all = next
        return reports
    }

    /// Copies two facts from previous rejections of the same revisions: that a revision has been rejected since
    /// the start, and its errors while it is being proposed again.
    private func carryingOver(_ rejections: [Name: Rejection]) -> [Name: Rejection] {
        var next = rejections
        for (name, rejection) in rejections where rejection.isProposed || !all.isEmpty {
            guard let before = all[name], before.isSinceStart || rejection.isProposed,
                PrefsSource.haveSameContents(before.revision, rejection.revision)
            else { continue }
            next[name]?.isSinceStart = before.isSinceStart
            if rejection.isProposed, before.rejectsRevision {
                for error in before.errors { next[name]?.add(error) }
            }
        }
        return next
    }

    /// Returns repeated reports of the problems that have existed since a time or longer.
    func repetitions(since time: Date) -> [PrefsDiagnostic] {
        var reports: [PrefsDiagnostic] = []
        let places = Self.places(of: all)
        for rejection in all.values where rejection.since <= time {
            for error in rejection.errors {
                let held = Self.heldBack(by: error, all, places)
                var error = Self.located(error, of: all).withConsequence(rejection, holdingBack: held)
                error.reason += "; rejected since \(rejection.since.formatted(.iso8601))"
                let report = PrefsDiagnostic(.error, error)
                if !reports.contains(report) { reports.append(report) }
            }
        }
        return reports
    }
}

extension RejectedRevisions.Rejection {
    /// Returns the errors that were not reported with the previous rejection. If single values are rejected, each
    /// key is reported once for a revision. If the whole revision is rejected, a value is reported again when it
    /// is wrong for another reason, but not when a key lock only changes the sentence.
    fileprivate func newErrors(since before: Self?) -> [PrefsError] {
        // A file that cannot be read has been reported by its source.
        guard let before else { return isSinceStart ? errors.filter { !$0.isOfWholeFile } : errors }
        let isSameVersion = PrefsSource.haveSameContents(before.revision, revision)
        if rejectsRevision, !isProposed, !before.rejectsRevision || !isSameVersion { return errors }
        return errors.filter { error in
            let hasSameValue = hasSameValue(as: before, in: error)
            let isSameEdit = isSameVersion && (!rejectsRevision || hasSameValue == true)
            return !before.errors.contains {
                $0.isSameProblem(as: error) && hasSameValue != false
                    || isSameEdit && $0.key == error.key && (!rejectsRevision || $0.code == error.code)
            }
        }
    }

    /// The files of the problems, which may be other files of the layer.
    fileprivate func places(_ name: RejectedRevisions.Name) -> [RejectedRevisions.Name] {
        errors.compactMap { $0.located(in: name).origin }.map {
            RejectedRevisions.Name(layer: $0.layer, file: $0.file)
        }
    }

    /// Returns the recoveries of values that the next rejection no longer rejects, one for each key.
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

    /// Returns the error with a source as its place, if it has none.
    func located(in source: RejectedRevisions.Name) -> PrefsError {
        guard origin == nil else { return self }
        var error = self
        error.origin = PrefsOrigin(
            layer: source.layer, file: source.file.map { String(decoding: $0, as: UTF8.self) })
        return error
    }

    /// True if the error is about a file that cannot be read, and not about a value in it.
    fileprivate var isOfWholeFile: Bool {
        let codes: Set<Code> = [.syntax, .tooLarge, .unreadable, .notARegularFile, .untrusted, .ambiguous]
        return key == nil && origin?.file != nil && codes.contains(code)
    }

    /// Returns the error with its consequence.
    ///
    /// - Parameter files: The correct files that are rejected because of the error.
    fileprivate func withConsequence(_ rejection: RejectedRevisions.Rejection, holdingBack files: [String])
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
    /// Returns true if messages name this file before another one.
    fileprivate func precedes(_ other: Self) -> Bool {
        if layer != other.layer { return (layer ?? "") < (other.layer ?? "") }
        return (file ?? []).lexicographicallyPrecedes(other.file ?? [])
    }
}
