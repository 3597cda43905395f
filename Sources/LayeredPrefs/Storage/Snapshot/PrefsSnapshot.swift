public import PrefsDocuments
import PrefsSystem

/// The contents of a storage at one moment.
///
/// A snapshot is an immutable value, so you can read several keys from it consistently. A stack's snapshot
/// holds every layer's candidates, not their resolution, because the winner depends on the type that a key is
/// read as.
public struct PrefsSnapshot: Sendable {
    /// A source and its position in the order of layers.
    struct Part: Sendable {
        var source: PrefsSource
        /// The layer's name, if the source is part of a stack.
        var layer: String?
        /// The layer's height in the stack. The larger height wins.
        var height = 0
    }

    /// The rules that decide which values of the sources count.
    struct Rules: Sendable, Equatable {
        var locks = LockTable.empty
        /// The locks files that cannot be read.
        var unreadableLocks = UnreadableLocks()
        /// The declared key that each environment variable sets.
        var claims = VariableClaims()
        /// The secrets, which no description shows.
        var secrets = SecretPaths()
        /// The height of a stack's own locks on this layer; `nil` for the layer's largest height.
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

    // Not a getter, which would copy the state with its many references each time one part of it is read.
    var state: State { _read { yield box.state } }

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
    /// - Parameters:
    ///   - content: The values.
    ///   - keysAreLiteral: A Boolean value that indicates whether `http.port` is always that literal key,
    ///     never `port` in `http`.
    public init(_ content: [String: PrefsValue] = [:], keysAreLiteral: Bool = false) {
        self.init(
            parts: [Part(source: PrefsSource(.value(.dictionary(content))))], keysAreLiteral: keysAreLiteral)
    }

    /// Creates the contents of a storage from one candidate per key, each with its origin.
    ///
    /// Use it for a storage that is not a file or a dictionary:
    ///
    /// ```swift
    /// PrefsSnapshot(candidates: [
    ///     "http.port": PrefsCandidate(8080, origin: PrefsOrigin(revision: "42")),
    ///     "token": PrefsCandidate("s3cret", isText: true, origin: PrefsOrigin(file: "/run/secrets/token")),
    /// ])
    /// ```
    ///
    /// A name with dots is a dotted path, unless `keysAreLiteral` is true. A stack replaces a candidate's
    /// layer by its own. A candidate with a ``PrefsCandidate/rejection`` is reported, and counts as absent.
    ///
    /// To create the next contents, call ``replacing(_:)``. Its cost depends only on the number of changes.
    public init(candidates: [String: PrefsCandidate], keysAreLiteral: Bool = false) {
        let source = PrefsSource(.table(HashTrie(candidates.mapValues(PrefsContent.candidate))))
        self.init(parts: [Part(source: source)], keysAreLiteral: keysAreLiteral)
    }

    /// Returns the next contents of a storage that was created from candidates, with some candidates
    /// replaced.
    ///
    /// A key whose candidate is `nil` is removed. The result knows which keys may differ, so a stack compares
    /// only these keys and notifies only their observers. Publish the result, and then call
    /// ``PrefsChangeSource/advance()``.
    public func replacing(_ changes: [String: PrefsCandidate?]) -> PrefsSnapshot {
        let next = (state.parts.first?.source ?? .empty).replacing(changes)
        return with { state in
            (state.generation, state.parts) = (next.version, Parts([Part(source: next)]))
        }
    }

    /// Returns the candidates that a write to a storage replaces, adds or removes.
    ///
    /// The storage must hold contents that were created from candidates. Everything at and below each key is
    /// replaced by the key's value. Store the returned candidates, and publish the result of
    /// ``replacing(_:)`` with them.
    ///
    /// For example, the contents have the keys `http.port` and `http.host`. Removing `http` then removes
    /// both. If the contents have the key `http` with a dictionary, storing `http.port` replaces `http` by
    /// the changed dictionary.
    ///
    /// - Parameters:
    ///   - values: The values to store, by key. A key whose value is `nil` is removed.
    ///   - origin: The origin of the new candidates.
    public func changes(
        writing values: [String: PrefsValue?], origin: PrefsOrigin = PrefsOrigin()
    ) -> [String: PrefsCandidate?] {
        let entries = state.parts.first?.source.spelled.entries ?? []
        var contents = Dictionary(entries.map { ($0.key, $0.content.value) }) { first, _ in first }
        var changed: Set<String> = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            changed.insert(key)
            guard !state.keysAreLiteral else {
                contents[key] = value
                continue
            }
            let path = PrefsPath(key)
            let places = contents.keys.map { (name: $0, path: PrefsPath($0)) }
            for (name, place) in places where path.contains(place) {
                contents[name] = nil
                changed.insert(name)
            }
            let around = places.filter { $0.path.contains(path) && contents[$0.name]?.kind == .dictionary }
            for (name, place) in around {
                contents[name]?.put(nil, at: path.components.dropFirst(place.components.count))
                changed.insert(name)
            }
            guard let value else { continue }
            if let (name, place) = around.max(by: { $0.path.components.count < $1.path.components.count }) {
                contents[name]?.put(value, at: path.components.dropFirst(place.components.count))
            } else {
                contents[key] = value
            }
        }
        return changed.reduce(into: [:]) { changes, name in
            changes.updateValue(contents[name].map { PrefsCandidate($0, origin: origin) }, forKey: name)
        }
    }

    /// Returns these contents with key locks.
    ///
    /// The layers above the storage cannot override the locked keys, or anything below them. The locks
    /// replace any locks that the snapshot had. A storage publishes the result like any other contents.
    ///
    /// - Parameter keys: The keys, each with the place where it is locked.
    public func locking(_ keys: [String: PrefsOrigin]) -> PrefsSnapshot {
        let locks = keys.sorted { $0.key < $1.key }.map { PrefsLock(PrefsPath($0.key), origin: $0.value) }
        return with { $0.rules.locks = LockTable(locks) }
    }

    /// The number of this state, or 0 if the storage has no generations.
    ///
    /// The number is unique, and increases within the process.
    public var generation: UInt64 { state.generation }

    /// The paths that no description of a value of this snapshot shows.
    package var secrets: SecretPaths { state.rules.secrets }

    /// Returns a copy with a change.
    func with(_ change: (inout State) -> Void) -> PrefsSnapshot {
        var state = state
        change(&state)
        return PrefsSnapshot(state)
    }

    /// Returns true if this is a copy of the other snapshot, rather than one with the same contents.
    func isCopy(of other: PrefsSnapshot) -> Bool { box === other.box }
}

extension PrefsSnapshot: CustomStringConvertible, CustomReflectable {
    /// The generation and the layers, without any value.
    public var description: String {
        "generation \(generation) of \(layerNames.map(\.printable).joined(separator: ", "))"
    }

    /// The generation and the layers, because a dump of the contents would show secrets.
    public var customMirror: Mirror {
        Mirror(self, children: ["generation": generation, "layers": layerNames], displayStyle: .struct)
    }

    private var layerNames: [String] {
        state.parts.map { [$0.layer, $0.source.file].compactMap(\.self).joined(separator: " ") }
    }
}
