import PrefsDocuments

/// Finds the problems of new contents before they become active. ``LayerDecision`` decides which contents are
/// rejected because of them.
///
/// Only new problems count, so a mistake from before the start rejects no later edit. There are two exceptions. An
/// edit of a key must satisfy the key's rules, even if they were violated before. And a layer with last known good
/// files rejects every edit until its files can be read.
///
/// A check runs under the commit lock, with no mutex held. It calls validators, codings and rules of the program,
/// which may read but not write.
struct CandidateCheck: Sendable {
    /// A reason to reject new contents.
    struct Problem: Sendable {
        enum Place: Sendable {
            /// A value at a path of one source.
            case value(PrefsPath, of: PrefsKeyName, in: RejectedRevisions.Name)
            /// The values of several keys in all layers.
            case values([PrefsKeyName])

            /// The paths of the values.
            var paths: [PrefsPath] {
                switch self {
                case .value(_, let key, _): key.paths
                case .values(let keys): keys.flatMap(\.paths)
                }
            }
        }

        let place: Place
        let error: PrefsError
        /// True if the value has no effect, because an acceptable value overrides it.
        var isShadowed = false
        /// True if the active value of the key in this source is wrong, too, perhaps under another name.
        var replacesWrong = false
    }

    /// Returns the problems of a candidate, contents that would replace the active ones.
    ///
    /// - Parameters:
    ///   - candidate: The contents to check.
    ///   - active: The active contents.
    ///   - dirty: The highest paths whose contents differ.
    ///   - isWrite: True if the candidate is the result of a write by this program, which throws the problems.
    let problems: Body

    typealias Body =
        @Sendable (_ candidate: PrefsSnapshot, _ active: PrefsSnapshot, _ dirty: PathList, _ isWrite: Bool)
        -> [Problem]

    /// The paths of the configuration's fields; empty for a check of something else.
    let fields: [PrefsPath]
    /// The handlers that are asked before a candidate is accepted; `nil` for a check without handlers.
    let decider: (any CandidateDecider)?
    /// Returns how the configuration would start with another stack; `nil` for a check of something else.
    let start: (@Sendable (PrefsStack) -> StartOutcome)?

    init(
        of fields: [PrefsPath] = [], decider: (any CandidateDecider)? = nil,
        start: (@Sendable (PrefsStack) -> StartOutcome)? = nil, _ problems: @escaping Body
    ) {
        (self.fields, self.decider, self.start, self.problems) = (fields, decider, start, problems)
    }

    /// Returns true if the check reads none of the given values.
    func isIndependent(of values: [PrefsPath]) -> Bool {
        if values.isEmpty { return true }
        return !fields.isEmpty
            && !fields.contains { field in values.contains { $0.contains(field) || field.contains($0) } }
    }
}

/// The answer of a stack's handlers to a candidate.
enum ApplyAnswer {
    /// All have accepted it, or it changes no part with a handler.
    case accepted
    /// Some have rejected it.
    case rejected([CandidateCheck.Problem])
    /// Some have not accepted it yet, or their answers may no longer hold.
    case waiting([any ApplyProposal])
}

/// The handlers of a configuration, which accept or reject candidates; see ``ApplyCoordinator``.
protocol CandidateDecider: AnyObject, Sendable {
    /// Forgets the program's rejections, so that its handlers are asked again. Returns false if there were none.
    func forgetRejections() -> Bool

    /// Returns the change that a candidate means for the handlers; `nil` if it changes no part with a handler.
    ///
    /// - Parameters:
    ///   - candidate: The contents to check.
    ///   - active: The active contents.
    ///   - dirty: The highest paths whose contents differ.
    func proposal(
        of candidate: PrefsSnapshot, since active: PrefsSnapshot, _ dirty: PathList
    ) -> (any ApplyProposal)?

    /// Notes a decision of the stack.
    func note(_ decision: CandidateDecision)

    /// Returns the configuration if a handler may use another value than the active one, or has prepared
    /// something; otherwise `nil`.
    func unsettled() -> UnsettledConfiguration?

    /// True if a handler has failed to apply the active value.
    var isInconsistent: Bool { get }

    /// The state after a change that nothing can reject, such as a key lock, has made the active value invalid;
    /// `nil` if the value is valid.
    var invalidity: ConfigurationInvalidity? { get }
}

/// A change that the handlers of one configuration accept or reject.
protocol ApplyProposal: Sendable {
    /// The problem of the handler that has rejected the new value; `nil` if none has.
    var rejection: CandidateCheck.Problem? { get }

    /// True if all handlers have accepted the new value.
    var isAccepted: Bool { get }

    /// True if a handler has prepared something.
    var hasPreparations: Bool { get }

    /// The registered handlers.
    var handlers: [(phase: ApplyPhase, number: Int)] { get }

    /// True if the configuration has been released.
    var hasEnded: Bool { get }

    /// Notes that the handlers are about to be asked.
    func noteBegin()

    /// Notes that the handlers have answered, and were rolled back if one of them rejected the value.
    func noteEnd()

    /// Notes that a job covers all reviews requested so far.
    ///
    /// - Parameter reviews: The number of these requests.
    func noteReviewed(_ reviews: Int)

    /// Has a handler prepare or apply the new value. Returns the rejection if it throws.
    func ask(_ number: Int) async -> ApplyRejection?

    /// Rolls a handler back to the old value. A two-phase handler aborts any other prepared value, and a one-phase
    /// handler is called with the old value.
    ///
    /// - Parameter unlessProposed: True to leave a handler alone that has accepted the new value.
    func rollBack(_ number: Int, unlessProposed: Bool) async

    /// Commits the preparation of a two-phase handler for the old value. A handler that uses another value, and
    /// has prepared nothing, prepares the old value first.
    ///
    /// - Parameter unlessProposed: True to leave a handler alone that has accepted the new value.
    func complete(_ number: Int, unlessProposed: Bool) async
}

/// The rejection of a change by a handler.
struct ApplyRejection: Sendable {
    let error: PrefsError
    /// Remembers the rejection. While the newest contents have this value, it is rejected without another call.
    let remember: @Sendable () -> Void
}

/// A configuration with a handler that may use another value than the active one, or has prepared something.
struct UnsettledConfiguration {
    /// A proposal with the active value as the old and the new one.
    let proposal: any ApplyProposal
    /// The number of reviews that were requested.
    let reviews: Int
}

/// A decision of a stack.
struct CandidateDecision {
    /// The contents that are active now.
    let active: PrefsSnapshot
    /// The newest contents, including rejected ones.
    let newest: PrefsSnapshot
    /// The highest paths that have changed in the active contents.
    let dirty: PathList
    /// The number of the composition.
    let count: UInt64
    /// False if there was nothing new to decide on.
    let isNew: Bool
    /// True if the program is still being asked about something.
    let isPending: Bool
}

/// The checks that were added to a stack.
struct CheckList: Sendable {
    private var checks: [Int: CandidateCheck] = [:]
    private var count = 0
    /// The numbers of the checks by the paths of their fields.
    private var fields = KeyTrie<Int>()
    /// The numbers in `fields`, by check.
    private var places: [Int: Int] = [:]

    init(_ checks: [CandidateCheck]) { for check in checks { _ = add(check) } }

    var isEmpty: Bool { checks.isEmpty }

    /// The checks, in the order of their addition.
    var all: [CandidateCheck] { checks.sorted { $0.key < $1.key }.map(\.value) }

    /// The configurations with handlers.
    var deciders: [any CandidateDecider] { all.compactMap(\.decider) }

    mutating func add(_ check: CandidateCheck) -> Int {
        count += 1
        checks[count] = check
        places[count] = fields.add(count, at: check.fields)
        return count
    }

    /// Returns a field of a check that overlaps a field of another check in the list: both are the same field, or
    /// one contains the other.
    func field(sharedWith other: CandidateCheck) -> PrefsPath? {
        fields.firstTouching(in: other.fields).map { other.fields[$0] }
    }

    mutating func remove(_ number: Int) -> CandidateCheck? {
        guard let check = checks.removeValue(forKey: number) else { return nil }
        if let place = places.removeValue(forKey: number) { fields.remove(place, at: check.fields) }
        return check
    }
}
