import FoundationEssentials
import PrefsDocuments

/// The newest versions of a stack's sources that are refused, in whose place something earlier stays in force.
struct RefusedVersions: Sendable {
    typealias Name = PrefsSnapshot.Part.Name

    /// A version that is refused, or some of its values.
    struct Refusal: Sendable {
        /// The newest version; `nil` if the source is gone.
        var version: PrefsSource?
        /// The values that stay, if the others of the version are in force; `nil` if the whole version is refused.
        private(set) var values: [KeptValues.Entry]?
        /// True if the program has started with what was accepted last in place of the version.
        var isSinceStart = false
        /// The problems.
        var errors: [PrefsError] = []
        /// The values that are wrong, by the keys of their errors. Of an element, only the list as a whole would be known,
        /// of which another element may change.
        private(set) var wrongValues: [String: PrefsValue] = [:]
        /// The time from which on there has been a refused version.
        fileprivate(set) var since = Date()

        init(version: PrefsSource?, values: [KeptValues.Entry]? = nil) {
            (self.version, self.values) = (version, values)
        }

        var refusesVersion: Bool { values == nil }

        /// True if the program is being asked about the version, which may have been refused before.
        var isOffered = false

        /// True if the program has not decided on the version yet.
        var isPending: Bool { refusesVersion && errors.isEmpty }

        /// Returns true if the newest value at a path is refused.
        func isRefused(_ path: PrefsPath) -> Bool {
            guard let values else { return true }
            return values.contains { $0.path.contains(path) }
        }

        /// - Parameter value: The value that is wrong, if it is only one.
        mutating func add(_ error: PrefsError, of value: PrefsValue? = nil) {
            if !errors.contains(error) { errors.append(error) }
            if let key = error.key, !key.contains("["), let value { wrongValues[key] = value }
        }

        mutating func keep(_ entry: KeptValues.Entry, _ error: PrefsError, of value: PrefsValue?) {
            values?.removeAll { entry.path.contains($0.path) }
            values?.append(entry)
            add(error, of: value)
        }

        /// Returns true if the value that an error is about is known to be another one than before: of a secret, the words do
        /// not show it.
        func hasOtherValue(than before: Self, in error: PrefsError) -> Bool {
            guard let key = error.key, let value = wrongValues[key], let old = before.wrongValues[key] else {
                return false
            }
            return value != old
        }
    }

    private(set) var all: [Name: Refusal] = [:]
    /// The files that have been reported as refused, and not as recovered since.
    private var refusedPlaces: Set<Name> = []

    /// Returns an error for which some revisions are refused with a place, if it names none: the first of these revisions, so
    /// that one problem is one, however many files are refused for it.
    static func located(_ error: PrefsError, of refusals: [Name: Refusal]) -> PrefsError {
        if error.origin != nil { return error }
        let names = refusals.filter { $1.errors.contains(error) }.map(\.key)
        return names.min { $0.precedes($1) }.map { error.located(in: $0) } ?? error
    }

    /// Returns the files whose revisions are refused for an error that is located in another one, sorted. A file that is gone
    /// is none of them: another one may only hide it.
    private static func heldBack(by error: PrefsError, _ refusals: [Name: Refusal]) -> [String] {
        let place = located(error, of: refusals).origin?.file
        let held = refusals.filter { _, refusal in
            refusal.refusesVersion && !refusal.isOffered && refusal.version?.isAbsent == false
                && refusal.errors.contains(error)
        }
        let files = held.keys.compactMap(\.file).map { String(decoding: $0, as: UTF8.self) }
        return files.filter { $0 != place }.sorted()
    }

    /// Returns the files that have been reported as refused, of which another decision refuses nothing.
    func recovered(by refusals: [Name: Refusal]) -> Set<Name> {
        if refusedPlaces.isEmpty { return [] }
        // What the program has not decided on yet may still be refused.
        let undecided = Set(refusals.lazy.filter { $1.isPending || $1.isOffered }.map(\.key.layer))
        let refused = Set(refusals.flatMap { $1.isOffered ? [] : $1.places($0) })
        return refusedPlaces.subtracting(refused).filter { !undecided.contains($0.layer) }
    }

    /// Takes in a decision, and returns what to report: each problem of a refused version once, and each recovery.
    ///
    /// - Parameter wrong: Files whose newest versions are in force, but have values that are rejected where nothing could be
    ///   kept in their place.
    mutating func replace(with refusals: [Name: Refusal], wrong: Set<Name> = []) -> [PrefsDiagnostic] {
        var reports: [PrefsDiagnostic] = []
        // The files of a layer that changed together have their problems in common.
        func report(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError) {
            let diagnostic = PrefsDiagnostic(severity, error)
            if !reports.contains(diagnostic) { reports.append(diagnostic) }
        }
        var next = refusals
        for (name, refusal) in refusals.sorted(by: { $0.key.precedes($1.key) }) {
            let before = all[name]
            if let before { next[name]?.since = before.since }
            for error in refusal.newErrors(since: before) {
                let held = Self.heldBack(by: error, refusals)
                report(.error, Self.located(error, of: refusals).notApplied(refusal, holdingBack: held))
            }
        }
        for place in recovered(by: next) {
            refusedPlaces.remove(place)
            // Its wrong values have their own reports, and recoveries.
            if wrong.contains(place) { continue }
            report(
                .recovered, PrefsError(.invalid, reason: "now using the new version").located(in: place))
        }
        refusedPlaces.formUnion(
            next.flatMap { $1.isOffered || !$1.refusesVersion ? [] : $1.places($0) })
        for (name, refusal) in all where !refusal.refusesVersion {
            for error in refusal.recoveries(in: next[name]) { report(.recovered, error.located(in: name)) }
        }
        all = next
        return reports
    }

    /// Returns the problems of what has been refused since a time or longer, worded as repeated reports.
    func repetitions(since time: Date) -> [PrefsDiagnostic] {
        var reports: [PrefsDiagnostic] = []
        for refusal in all.values where refusal.since <= time {
            for error in refusal.errors {
                let held = Self.heldBack(by: error, all)
                var error = Self.located(error, of: all).notApplied(refusal, holdingBack: held)
                error.reason += "; rejected since \(refusal.since.formatted(.iso8601))"
                let report = PrefsDiagnostic(.error, error)
                if !reports.contains(report) { reports.append(report) }
            }
        }
        return reports
    }

    /// Returns what was refused and is offered again: the same version, or the same value in another one.
    func offeredAgain(in newest: PrefsSnapshot.Parts) -> [Name: Refusal] {
        var refusals: [Name: Refusal] = [:]
        for (name, refusal) in all { refusals[name] = refusal.offeredAgain(in: newest[name]) }
        return refusals
    }
}

extension RefusedVersions.Refusal {
    /// Returns what of the refusal a version has as well; `nil` if nothing.
    fileprivate func offeredAgain(in newest: PrefsSource?) -> Self? {
        if PrefsSource.haveSameContents(newest, version) { return self }
        var refusal = self
        refusal.values?.removeAll { entry in
            newest?.tree.acceptableValue(at: entry.path) != version?.tree.acceptableValue(at: entry.path)
        }
        return refusal.values?.isEmpty == false ? refusal : nil
    }

    /// Returns the errors that have not been reported with the refusal before.
    ///
    /// One value may be wrong in other words as soon as a lock reserves a part of it.
    fileprivate func newErrors(since before: Self?) -> [PrefsError] {
        // The file itself has reported why it cannot be read.
        guard let before else { return isSinceStart ? errors.filter { !$0.isOfWholeFile } : errors }
        let isSameVersion = PrefsSource.haveSameContents(before.version, version)
        if refusesVersion, !isOffered, !before.refusesVersion || !isSameVersion { return errors }
        return errors.filter { error in
            !before.errors.contains {
                $0.isSameProblem(as: error) && !hasOtherValue(than: before, in: error)
                    || isSameVersion && !refusesVersion && $0.key == error.key && $0.code == error.code
            }
        }
    }

    /// The files in which the problems stand for which the version, or some of its values, are refused: it may be that of
    /// another file of the layer.
    fileprivate func places(_ name: RefusedVersions.Name) -> [RefusedVersions.Name] {
        errors.compactMap { $0.located(in: name).origin }.map {
            RefusedVersions.Name(layer: $0.layer, file: $0.file)
        }
    }

    /// Returns the errors of values that the next refusal of the source ends, one for each key, worded as recoveries.
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
    func isSameProblem(as other: PrefsError) -> Bool {
        key == other.key && code == other.code && reason == other.reason
    }

    /// Returns the error with the source that is refused, if it names none: it is one of the values of all layers.
    func located(in source: RefusedVersions.Name) -> PrefsError {
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
    fileprivate func notApplied(_ refusal: RefusedVersions.Refusal, holdingBack files: [String]) -> PrefsError
    {
        let consequence =
            if refusal.isSinceStart {
                "using the last accepted version"
            } else {
                refusal.refusesVersion ? "keeping the previous version" : "keeping the previous value"
            }
        var error = self
        error.reason += "; \(consequence)"
        if !files.isEmpty, !refusal.isSinceStart {
            error.reason += ", also of \(files.prefix(PrefsLimits.reports).joined(separator: ", "))"
        }
        return error
    }
}

extension RefusedVersions.Name {
    /// The order in which files are named.
    fileprivate func precedes(_ other: Self) -> Bool {
        if layer != other.layer { return (layer ?? "") < (other.layer ?? "") }
        return (file ?? []).lexicographicallyPrecedes(other.file ?? [])
    }
}
