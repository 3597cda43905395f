import PrefsDocuments

/// Finds what is wrong with new contents before they become active. What is rejected for it, ``LayerDecision`` says.
///
/// Only problems count that the active contents do not have: an error from before the start rejects no later edit.
///
/// It is called under the commit lock, with no mutex held, and runs code of the program: validators, codings and rules. That may
/// read but not write.
struct CandidateCheck: Sendable {
    /// A reason to reject something new.
    struct Problem: Sendable {
        enum Place: Sendable {
            /// A value of one source, which stands at a path.
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
        /// True for a value with an acceptable one above it: it has no effect.
        var isShadowed = false
        /// True if the source has another wrong value of the key there already, perhaps under another name.
        var replacesWrong = false
    }

    /// Returns what is wrong with a candidate, contents that would take the place of those in force.
    ///
    /// - Parameters:
    ///   - candidate: The contents to check.
    ///   - inForce: The present contents.
    ///   - dirty: The highest paths at which the two differ.
    ///   - isWrite: True if the candidate is what a write of this program leads to, which throws the problems.
    let problems: Body

    typealias Body =
        @Sendable (_ candidate: PrefsSnapshot, _ inForce: PrefsSnapshot, _ dirty: PathList, _ isWrite: Bool)
        -> [Problem]

    /// The paths of the values that are checked, if they belong to one configuration and to no other.
    let fields: [PrefsPath]
    /// Asks the program before a candidate is accepted; `nil` for a check that decides by itself.
    let decider: (any CandidateDecider)?
    /// Returns how the configuration would start with another stack; `nil` for a check of something else.
    let start: (@Sendable (PrefsStack) -> StartOutcome)?

    init(
        of fields: [PrefsPath] = [], decider: (any CandidateDecider)? = nil,
        start: (@Sendable (PrefsStack) -> StartOutcome)? = nil, _ problems: @escaping Body
    ) {
        (self.fields, self.decider, self.start, self.problems) = (fields, decider, start, problems)
    }

    /// Returns true if some values are none that are checked.
    func isIndependent(of values: [PrefsPath]) -> Bool {
        if values.isEmpty { return true }
        return !fields.isEmpty
            && !fields.contains { field in values.contains { $0.contains(field) || field.contains($0) } }
    }
}

/// What the handlers of a stack have said about a candidate.
enum ApplyAnswer {
    /// All have accepted it, or it changes no part with a handler.
    case accepted
    /// Some have rejected it.
    case refused([CandidateCheck.Problem])
    /// Some have not been asked.
    case waiting([any ApplyProposal])
}

/// Everything that may be wrong with a candidate of a stack, in the order in which it is looked into.
///
/// Each stage sees the candidate without the values that an earlier one has found wrong: a wrong value that cannot be
/// replaced by an earlier one counts as absent, and must not keep the rest from being checked. Configurations without a
/// wrong value are checked in any case, so that an administrator learns of everything at once.
struct StackCheck {
    typealias Problem = CandidateCheck.Problem

    /// The values of single keys, and the rules over several keys.
    private let values: CandidateCheck.Body
    /// The checks that were added to the stack, such as the rule of a ``Live``, but for those of some values.
    private let whole: Whole
    /// False if there is no ``Live/apply(_:_:)`` handler to be asked.
    let asksProgram: Bool
    /// Returns what the handlers have said about a candidate.
    let answer: Answer

    typealias Whole =
        (
            _ candidate: PrefsSnapshot, _ inForce: PrefsSnapshot, _ dirty: PathList, _ isWrite: Bool,
            _ wrong: [PrefsPath]
        ) -> [Problem]

    typealias Answer =
        (_ candidate: PrefsSnapshot, _ inForce: PrefsSnapshot, _ dirty: PathList) -> ApplyAnswer

    init(
        asksProgram: Bool, values: @escaping CandidateCheck.Body, whole: @escaping Whole,
        answer: @escaping Answer
    ) {
        (self.asksProgram, self.values, self.whole, self.answer) = (asksProgram, values, whole, answer)
    }

    /// Returns what is wrong with a candidate, whatever the handlers say.
    ///
    /// - Parameter isReasonToRefuse: Returns true for a problem that changes the candidate, or ends the write: what depends
    ///   on its value is not looked into then. The values with the other problems count as absent.
    func problems(
        _ candidate: PrefsSnapshot, _ inForce: PrefsSnapshot, _ dirty: PathList, isWrite: Bool,
        unless isReasonToRefuse: (Problem) -> Bool
    ) -> [Problem] {
        let values = values(candidate, inForce, dirty, isWrite)
        if values.contains(where: isReasonToRefuse) {
            return values + whole(candidate, inForce, dirty, isWrite, values.flatMap(\.place.paths))
        }
        return values + whole(candidate, inForce, dirty, isWrite, [])
    }
}

/// The handlers of a configuration, which accept or reject candidates; see ``ApplyCoordinator``.
protocol CandidateDecider: AnyObject, Sendable {
    /// Forgets what the program has refused, so that it is asked again; returns false if there was nothing.
    func forgetRefusal() -> Bool

    /// Returns what a candidate would change for the handlers; `nil` if it changes no part with a handler.
    ///
    /// - Parameters:
    ///   - candidate: The contents to check.
    ///   - inForce: The present contents.
    ///   - dirty: The highest paths at which the two differ.
    func proposal(
        of candidate: PrefsSnapshot, since inForce: PrefsSnapshot, _ dirty: PathList
    ) -> (any ApplyProposal)?

    /// Notes what the stack has decided on.
    func note(_ decision: CandidateDecision)

    /// Returns what is active if a handler may use something else or has prepared something, and the number of reasons to
    /// look into that; otherwise `nil`.
    func unsettled() -> UnsettledConfiguration?

    /// True if the program has failed to apply what is in force.
    var isInconsistent: Bool { get }

    /// The state of a configuration that a change which nothing can refuse has made invalid; `nil` if it is valid.
    var invalidity: ConfigurationInvalidity? { get }
}

/// A change that the handlers of one configuration accept or reject.
protocol ApplyProposal: Sendable {
    /// The problem for which a handler has rejected the new value; `nil` if none has.
    var refusal: CandidateCheck.Problem? { get }

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

    /// Notes that they have been asked, and taken back if necessary.
    func noteEnd()

    /// Notes that reasons to look at the handlers, as many as there were, are being looked into.
    func noteSettled(_ doubts: Int)

    /// Has a handler prepare or apply the new value; returns the refusal if it throws.
    func ask(_ number: Int) async -> ApplyRefusal?

    /// Aborts what a handler has prepared for another value than the old one, or has it apply the old one if it has
    /// switched.
    ///
    /// - Parameter unlessProposed: True to leave alone what it has accepted of the new value.
    func takeBack(_ number: Int, unlessProposed: Bool) async

    /// Commits what a two-phase handler has prepared for the old value. If it has prepared nothing and uses another value, it
    /// prepares that one first.
    ///
    /// - Parameter unlessProposed: True to leave alone what it has accepted of the new value.
    func complete(_ number: Int, unlessProposed: Bool) async
}

/// The refusal of a change by a handler.
struct ApplyRefusal: Sendable {
    let error: PrefsError
    /// Has the same part rejected without a call, as long as it is among the newest contents.
    let remember: @Sendable () -> Void
}

/// A configuration of which a handler uses something else than what is active, or has prepared something.
struct UnsettledConfiguration {
    /// What is active, as the old and the new value.
    let proposal: any ApplyProposal
    let doubts: Int
}

/// What a stack has decided on.
struct CandidateDecision {
    /// The contents that are in force now.
    let inForce: PrefsSnapshot
    /// The newest contents, those included that are refused.
    let newest: PrefsSnapshot
    /// The highest paths at which those in force differ from those before.
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

    /// The checks, in the order in which they were added.
    var all: [CandidateCheck] { checks.sorted { $0.key < $1.key }.map(\.value) }

    /// Those who ask the program.
    var deciders: [any CandidateDecider] { all.compactMap(\.decider) }

    mutating func add(_ check: CandidateCheck) -> Int {
        count += 1
        checks[count] = check
        places[count] = fields.add(count, at: check.fields)
        return count
    }

    /// Returns a field that a check of the list has, too, or that is a part of one of its fields, or contains one.
    func field(sharedWith other: CandidateCheck) -> PrefsPath? {
        fields.firstTouching(in: other.fields).map { other.fields[$0] }
    }

    mutating func remove(_ number: Int) -> CandidateCheck? {
        guard let check = checks.removeValue(forKey: number) else { return nil }
        if let place = places.removeValue(forKey: number) { fields.remove(place, at: check.fields) }
        return check
    }
}
