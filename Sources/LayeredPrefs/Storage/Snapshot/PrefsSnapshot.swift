import PrefsSystem
public import PrefsDocuments
import PrefsSystem

/// The contents of a storage at one moment: an immutable value from which several keys can be read
/// consistently.
///
/// A stack's snapshot holds every layer's candidates, not their resolution, because the winner depends on the
/// type that a key is read as.
public struct PrefsSnapshot: Sendable {
    /// A source and its position in the order of layers.
    struct Part: Sendable {
        var source: PrefsSource
        /// The layer's name, if the source is part of a stack.
        var layer: String?
        /// The layer's height in the stack; larger wins.
        var height = 0
    }

    /// Decides which of the sources' values count.
    struct Rules: Sendable, Equatable {
        var locks = LockTable.empty
        /// The values that constraints over several keys reject.
        var constraintRejections: [ConstraintRejection] = []
        /// The keys that claim each environment variable.
        var claims = VariableClaims()
        /// The height at which a stack's own lock on this layer holds; the layer's largest if `nil`.
        var lockHeight: Int?
    }

    struct State: Sendable {
        var generation: UInt64
        /// The sources, most important first.
        var parts: Parts
        var rules: Rules
        /// True if a dot in a key is an ordinary character.
        var keysAreLiteral: Bool
    }

    /// Shares the state between copies of a snapshot.
    private final class Box: Sendable {
        let state: State

        init(_ state: State) { self.state = state }
    }

    private let box: Box

    var state: State { box.state }

    init(
        generation: UInt64 = 0, parts: [Part], rules: Rules = Rules(), keysAreLiteral: Bool = false
    ) {
        self.init(
            generation: generation, parts: Parts(parts), rules: rules, keysAreLiteral: keysAreLiteral)
    }

    init(
        generation: UInt64 = 0, parts: Parts, rules: Rules = Rules(), keysAreLiteral: Bool = false
    ) {
        box = Box(
            State(generation: generation, parts: parts, rules: rules, keysAreLiteral: keysAreLiteral))
    }

    private init(_ state: State) { box = Box(state) }

    /// Creates the contents of a storage that is a single dictionary.
    ///
    /// - Parameter keysAreLiteral: True if `http.port` is always that literal key, never `port` in `http`.
    public init(_ content: [String: PrefsValue] = [:], keysAreLiteral: Bool = false) {
        self.init(parts: [Part(source: PrefsSource(content))], keysAreLiteral: keysAreLiteral)
    }

    /// The number of this state, which is unique and increases within the process; 0 if the storage has no
    /// generations.
    public var generation: UInt64 { state.generation }

    /// Returns a copy with a change.
    func with(_ change: (inout State) -> Void) -> PrefsSnapshot {
        var state = state
        change(&state)
        return PrefsSnapshot(state)
    }

    /// Returns true if this is a copy of the other snapshot, rather than one with the same contents.
    func isCopy(of other: PrefsSnapshot) -> Bool { box === other.box }
}

/// The candidates that a constraint rejects in one snapshot.
struct ConstraintRejection: Sendable, Equatable {
    let paths: [PrefsPath]
    /// The reasons by the index of the part whose candidates are rejected.
    var reasons: [Int: String] = [:]
}

extension PrefsSnapshot.Rules {
    /// Returns the reason why a constraint rejects a part's value for a path; `nil` if none does.
    func rejection(of path: PrefsPath, in part: Int) -> String? {
        for rejection in constraintRejections where rejection.paths.contains(path) {
            if let reason = rejection.reasons[part] { return reason }
        }
        return nil
    }
}
