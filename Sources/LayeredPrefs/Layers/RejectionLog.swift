import FoundationEssentials
import PrefsDocuments

/// The rejected values that were reported, so that each of them is reported once, and its recovery once.
///
/// For an integer key, one layer's successive values give these diagnostics:
///
/// | value             | diagnostic  | why                           |
/// |-------------------|-------------|-------------------------------|
/// | `"many"`          | `error`     | the first rejected value      |
/// | `"many"` again    | none        | the same value                |
/// | `"more"`          | `error`     | another rejected value        |
/// | `1`, or removed   | `recovered` | no longer a rejected value    |
///
/// A rejected value below an acceptable one has no effect, so it is a `warning`.
///
/// The log covers the keys that were declared or read.
struct RejectionLog {
    /// The limit of registered keys. Above it, reads register no more keys.
    private static let readLimit = 10_000

    /// A key that is checked.
    struct Checked: Sendable {
        let name: PrefsKeyName
        /// Returns the rejected values of the key in a snapshot.
        let check: @Sendable (PrefsSnapshot) -> [RejectedValue]
    }

    private var checks = KeyTrie<Checked>()
    /// The generation of the last check of each key.
    private var checked: [String: UInt64] = [:]
    /// The rejected values, by key and place, as they were reported last.
    private var reported: [String: [Place: Reported]] = [:]

    /// A key's value, or one of its fields, in a file of a layer.
    private struct Place: Hashable {
        private let field: Substring?
        private let layer: String?
        private let file: String?

        init(_ error: PrefsError) {
            // The elements of one array are one place.
            (field, layer) = (error.key?.prefix { $0 != "[" }, error.origin?.layer)
            file = error.origin?.file
        }
    }

    /// A rejected value that was reported.
    struct Reported: Sendable {
        let value: RejectedValue
        /// The time of the first report of a wrong value in its place.
        let since: Date

        var layer: String? { value.layer }
        var file: String? { value.file }
        fileprivate var counts: Bool { value.shadow == nil }
    }

    /// Registers a key for checking at every commit.
    mutating func declare(_ key: Checked) {
        let name = key.name
        guard checked.updateValue(checked[name.name] ?? 0, forKey: name.name) == nil else { return }
        checks.add(key, at: name.paths)
    }

    /// Registers a key that is read, unless there are so many keys that they are probably made at run time.
    /// Returns true if the key is new.
    mutating func noteRead(_ key: Checked) -> Bool {
        guard checked[key.name.name] == nil, checked.count < Self.readLimit else { return false }
        declare(key)
        return true
    }

    /// Returns true if a key was checked in this generation or a later one.
    func isChecked(_ key: String, at generation: UInt64) -> Bool {
        checked[key].map { $0 >= generation && $0 > 0 } ?? false
    }

    /// The keys with a rejected candidate that counts.
    var rejectedKeys: Set<String> { Set(reported.filter { $1.values.contains(where: \.counts) }.keys) }

    /// The rejected values that count and were reported last, sorted by key.
    var rejected: [Reported] {
        reported.sorted { $0.key < $1.key }.flatMap(\.value.values).filter(\.counts)
    }

    /// Notes that a key is about to be checked.
    mutating func noteCheck(of key: String, at generation: UInt64) {
        checked[key] = max(generation, checked[key] ?? 0)
    }

    /// The checks of all registered keys, in the order of their declaration.
    var allChecks: [Checked] { checks.all }

    /// True if no key is registered.
    var isIdle: Bool { checks.isEmpty }

    /// Returns the checks of the registered keys that a commit touches.
    func checks(touchedBy dirty: PathList) -> [Checked] { checks.elements(touchedBy: dirty) }
}

extension RejectionLog {
    /// Records the rejected values of a key, and returns the reports: first recoveries, then new rejected values.
    mutating func update(_ key: String, with rejections: [RejectedValue]) -> [PrefsDiagnostic] {
        let before = reported.removeValue(forKey: key) ?? [:]
        if before.isEmpty, rejections.isEmpty { return [] }
        var present: [Place: Reported] = [:]
        var news: [PrefsDiagnostic] = []
        for rejection in rejections {
            let place = Place(rejection.error)
            // The value may have moved to another line.
            present[place] = Reported(value: rejection, since: before[place]?.since ?? .now)
            let isKnown = before[place].map { $0.value.isSameVersion(as: rejection) && $0.counts }
            if let warning = rejection.warning {
                let isSame = before[place]?.value.isSameVersion(as: rejection) == true
                if !isSame { news.append(PrefsDiagnostic(.warning, warning)) }
            } else if isKnown != true {
                news.append(PrefsDiagnostic(.error, rejection.error))
            }
        }
        reported[key] = present.isEmpty ? nil : present
        let recovered = before.filter { place, old in
            old.counts && present[place]?.counts != true
        }.map { _, reported in
            var error = reported.value.error
            error.reason = "now using the new value"
            return PrefsDiagnostic(.recovered, error)
        }
        return recovered + news
    }
}

extension PersistentKey {
    /// The check of the key's values.
    var checked: RejectionLog.Checked { RejectionLog.Checked(name: name) { $0.rejections(of: self) } }
}

extension RejectedValue {
    /// The warning about a value that has no effect; `nil` if the value counts.
    var warning: PrefsError? {
        guard let shadow else { return nil }
        var warning = error
        warning.reason += "; not used, because \(shadow) sets this key, too"
        return warning
    }

    /// Returns true if both are the same problem of the same value, even if they are worded differently.
    ///
    /// If a non-dictionary blocks the key's path, there is no value, and only the reason identifies the problem.
    func isSameVersion(as other: RejectedValue) -> Bool {
        value == other.value && error.code == other.error.code
            && (value != nil || error.reason == other.error.reason)
    }
}
