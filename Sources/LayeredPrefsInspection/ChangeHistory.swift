import FoundationEssentials
import LayeredPrefs
import PrefsSystem

/// The last change sets of a stack.
///
/// The memory is bounded by the number of sets, the number of changes in each set, and the length of a value.
/// Values are recorded as text, so that the history keeps no stored value alive. The values of secrets are not
/// recorded at all.
final class ChangeHistory: Sendable {
    typealias Changes = InspectionReply.Changes

    private static let changesPerSet = 100
    private static let valueLength = 256

    private let limit: Int
    private let secrets: SecretPaths
    private let now: @Sendable () -> Date
    private let sets = Lock<[Changes]>([])
    private let observations = Lock<[PrefsObservation]>([])

    /// Creates an empty history.
    ///
    /// - Parameters:
    ///   - limit: The number of change sets to keep.
    ///   - secrets: The paths of further values to hide, in addition to the secrets that the stack knows.
    ///   - now: The clock for the recorded times.
    init(
        limit: Int, secrets: SecretPaths = SecretPaths(), now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.limit = limit
        self.secrets = secrets
        self.now = now
    }

    /// Records the changes of declared keys, as the program reads them, and the changes of all other keys.
    func follow(_ storage: PrefsStack, _ keys: DeclaredKeys) {
        guard limit > 0 else { return }
        var observations = keys.all.map { key in
            key.observe(in: storage) { [weak self] change in
                self?.record([change], of: change.generation, change.cause)
            }
        }
        observations.append(
            storage.observe { [weak self] set in
                let others = set.changes.keeping { !keys.holds($0) }
                if !others.isEmpty { self?.record(others, of: set.generation, set.cause) }
            })
        self.observations.withLock { $0 = observations }
    }

    func stop() {
        let observations = observations.withLock { observations in
            defer { observations = [] }
            return observations
        }
        for observation in observations { observation.cancel() }
    }

    /// Returns the recorded sets, oldest first. If a key is given, returns only sets that changed it or a key
    /// below it.
    func sets(of key: String?, hiding isSecret: (String) -> Bool) -> [Changes] {
        sets.withLock { $0 }.compactMap { set in
            var set = set
            let details = (set.details ?? []).filter { change in
                key.map { change.key == $0 || change.key.hasPrefix("\($0).") } ?? true
            }
            if key != nil, details.isEmpty { return nil }
            // Check again now: the key may have been declared as a secret after the change.
            set.details = details.map { isSecret($0.key) ? $0.hidden : $0 }
            return set
        }
    }

    func record(
        _ changes: some Collection<PrefsChange<PrefsValue?>>, of generation: UInt64, _ cause: PrefsChangeCause
    ) {
        let details = changes.prefix(Self.changesPerSet).map {
            Changes.Change($0, length: Self.valueLength, secrets)
        }
        let time = now().timeIntervalSince1970
        sets.withLock { sets in
            // Each observer has its own queue, so the sets of neighbouring generations may arrive in any order.
            let index = sets.lastIndex { $0.generation <= generation }
            if let index, sets[index].generation == generation {
                sets[index].add(details, of: changes.count, limit: Self.changesPerSet)
                return
            }
            var set = Changes(generation: generation, cause: cause.rawValue, time: time)
            set.add(details, of: changes.count, limit: Self.changesPerSet)
            sets.insert(set, at: index.map { $0 + 1 } ?? 0)
            if sets.count > limit { sets.removeFirst(sets.count - limit) }
        }
    }
}

extension InspectionReply.Changes {
    /// Adds some of `count` changes, up to the limit, and counts the others.
    fileprivate mutating func add(_ changes: [Change], of count: Int, limit: Int) {
        var all = details ?? []
        let added = changes.prefix(limit - all.count)
        all += added
        if count > added.count { omitted = (omitted ?? 0) + count - added.count }
        details = all.sorted { $0.key < $1.key }
    }
}

extension InspectionReply.Changes.Change {
    /// - Parameters:
    ///   - length: The maximum length of the values, in code points.
    ///   - secrets: The paths of further values to hide, in addition to the secrets that the stack knows.
    init(_ change: PrefsChange<PrefsValue?>, length: Int, _ secrets: SecretPaths) {
        let values = [change.old.value, change.new.value]
        let isSecret = change.isSecret || secrets.touch(change.key, values.compactMap(\.self))
        func text(_ value: PrefsValue?) -> String? {
            isSecret ? nil : value?.description.shortened(to: length)
        }
        self.init(
            key: change.key, old: text(change.old.value), new: text(change.new.value),
            origin: change.new.origin.map { "\($0)" }, isSecret: isSecret,
            needsRestart: change.needsRestart)
    }

    fileprivate var hidden: Self {
        var change = self
        (change.old, change.new, change.isSecret) = (nil, nil, true)
        return change
    }
}
