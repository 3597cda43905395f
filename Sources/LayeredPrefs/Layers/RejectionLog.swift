import PrefsDocuments

/// The rejected values already reported, so that each bad version is reported once, and its recovery once.
///
/// For an integer key, one layer's successive values give these diagnostics:
///
/// | value             | diagnostic  | why                           |
/// |-------------------|-------------|-------------------------------|
/// | `"many"`          | `error`     | the first bad version         |
/// | `"many"` again    | none        | the same version              |
/// | `"more"`          | `error`     | another bad version           |
/// | `1`, or removed   | `recovered` | no longer a bad value         |
///
/// It checks the keys that were declared or read.
struct RejectionLog {
    /// Returns the rejected candidates of one key in a snapshot.
    typealias Check = @Sendable (PrefsSnapshot) -> [RejectedValue]
    typealias ReportedRejection = (value: PrefsValue?, error: PrefsError)

    /// The number of keys from which on reading one does not register it.
    private static let readLimit = 10_000

    /// A key that is checked.
    struct Checked: Sendable {
        let name: PrefsKeyName
        let check: Check
    }

    private var checks = KeyTrie<Checked>()
    /// The generation in which each declared key was checked last.
    private var checked: [String: UInt64] = [:]
    /// The versions that were reported last of the values that are rejected.
    private var reported: [String: [ReportLimit.Place: ReportedRejection]] = [:]

    /// Registers a key for checking at every commit.
    mutating func declare(_ name: PrefsKeyName, _ check: @escaping Check) {
        guard checked.updateValue(checked[name.name] ?? 0, forKey: name.name) == nil else { return }
        checks.add(Checked(name: name, check: check), at: name.paths)
    }

    /// Registers a key that is read, unless there are so many that they are probably made at run time; returns true if
    /// it was not registered.
    mutating func noteRead(_ name: PrefsKeyName, _ check: @escaping Check) -> Bool {
        guard checked[name.name] == nil, checked.count < Self.readLimit else { return false }
        declare(name, check)
        return true
    }

    /// Returns true if a key was checked in this generation or a later one.
    func isChecked(_ key: String, at generation: UInt64) -> Bool {
        checked[key].map { $0 >= generation && $0 > 0 } ?? false
    }

    /// The number of keys with a rejected candidate.
    var rejectedKeyCount: Int { reported.count }

    /// Notes that a key is about to be checked.
    mutating func noteCheck(of key: String, at generation: UInt64) {
        checked[key] = max(generation, checked[key] ?? 0)
    }

    /// The checks of all registered keys, in the order of their declaration.
    var allChecks: [Check] { checks.all.map(\.check) }

    /// True if no key is registered.
    var isIdle: Bool { checks.isEmpty }

    /// Returns the checks of the registered keys that a commit touches.
    func checks(touchedBy dirty: PathList) -> [Checked] { checks.elements(touchedBy: dirty) }
}

extension RejectionLog {
    /// Takes in the rejected candidates of a key, and returns what to report: what is no longer rejected, and then each
    /// new version.
    mutating func update(_ key: String, with rejections: [ReportedRejection]) -> [PrefsDiagnostic] {
        let before = reported.removeValue(forKey: key) ?? [:]
        if before.isEmpty, rejections.isEmpty { return [] }
        var present: [ReportLimit.Place: ReportedRejection] = [:]
        var news: [PrefsDiagnostic] = []
        for rejection in rejections {
            let place = ReportLimit.Place(rejection.error)
            // It may have moved to another line.
            present[place] = rejection
            if before[place].map({ Self.isSameVersion($0, rejection) }) != true {
                news.append(PrefsDiagnostic(.error, rejection.error))
            }
        }
        reported[key] = present.isEmpty ? nil : present
        let recovered = before.filter { present[$0.key] == nil }.map { _, rejection in
            var error = rejection.error
            error.reason = "no longer rejected"
            return PrefsDiagnostic(.recovered, error)
        }
        return recovered + news
    }
}

extension RejectionLog {
    /// Returns true if two rejections are for the same fault of the same value, even if worded differently.
    ///
    /// Without a value, as where a non-dictionary blocks the key's path, only the reason identifies the
    /// version.
    static func isSameVersion(_ old: ReportedRejection, _ new: ReportedRejection) -> Bool {
        old.value == new.value && old.error.code == new.error.code
            && (new.value != nil || old.error.reason == new.error.reason)
    }
}
