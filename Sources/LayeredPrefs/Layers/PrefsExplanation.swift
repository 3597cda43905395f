public import PrefsDocuments
/// Why a key's value is what it is: what every layer has to say, from the highest to the lowest.
///
/// Its ``description`` is a table for people; secrets show as `••••`.
public struct PrefsExplanation: Sendable, Hashable {
    /// What a layer's value counts for.
    public enum Role: Sendable, Hashable {
        /// The value in force.
        case winner
        /// Acceptable, beneath the winner.
        case shadowed
        /// Refused, with the reason.
        case rejected(PrefsError)
        /// Above the lock that holds the key.
        case lockedOut
    }

    /// One layer's value.
    public struct Row: Sendable, Hashable {
        public var value: PrefsValue
        public var origin: PrefsOrigin
        public var role: Role
    }

    public var key: String
    /// The layers that have a value, from the highest to the lowest.
    public var rows: [Row]
    /// The key's own default, where the key is known.
    public var defaultValue: PrefsValue?
    /// The lock that holds the key, if one does.
    public var lock: PrefsLock?
    /// The environment variables that would set the key.
    public var variables: [String]
    /// Whether values are kept out of ``description``.
    public var isSecret: Bool
    /// Whether the answer is the topmost value for want of a type to check it by.
    public var isUntyped: Bool
}

extension PrefsSnapshot {
    /// Why a key's value is what it is.
    public func explain<Key: PersistentKeyProtocol>(_ key: Key) -> PrefsExplanation {
        var explanation = explain(key.name, isUntyped: false) { candidate in
            if case .failure(let error) = key.read(candidate) { error.naming(key.id) } else { nil }
        }
        if !key.isMutable {
            // No layer is asked, so none is part of the reason.
            (explanation.rows, explanation.lock, explanation.variables) = ([], nil, [])
        }
        explanation.isSecret = key.traits.isSecret
        explanation.defaultValue = (try? key.representation.encode(key.defaultValue)) ?? nil
        return explanation
    }

    /// Why the topmost value of a key is what it is, where no type is known.
    public func explain(_ key: String) -> PrefsExplanation {
        explain(PrefsKeyName(key), isUntyped: true) { $0.rejection?.naming(key) }
    }

    private func explain(
        _ name: PrefsKeyName, isUntyped: Bool, refusal: (PrefsCandidate) -> PrefsError?
    ) -> PrefsExplanation {
        let lock = lock(on: name)
        var hasWinner = false
        let rows = found(for: name).map { found in
            let candidate = found.candidate
            var role = PrefsExplanation.Role.shadowed
            if let lock, found.part.height > lock.height {
                role = .lockedOut
            } else if let error = refusal(candidate) {
                role = .rejected(error)
            } else if !hasWinner {
                hasWinner = true
                role = .winner
            }
            return PrefsExplanation.Row(value: candidate.value, origin: candidate.origin, role: role)
        }
        return PrefsExplanation(
            key: name.name, rows: rows, lock: lock, variables: variables(for: name), isSecret: false,
            isUntyped: isUntyped)
    }

    private func variables(for name: PrefsKeyName) -> [String] {
        state.parts.compactMap { part in
            if case .variables(let variables) = part.source.form {
                variables.variable(for: name)
            } else {
                nil
            }
        }
    }
}

extension LayeredPrefsStorage {
    /// Why a key's value is what it is: every layer's value, the winner, what is shadowed, refused, locked.
    public func explain(_ key: some PersistentKeyProtocol) -> PrefsExplanation { snapshot.explain(key) }

    /// The same for a name, untyped.
    public func explain(_ key: String) -> PrefsExplanation {
        var explanation = snapshot.explain(key)
        explanation.isSecret = facts.isSecret(PrefsPath(key))
        return explanation
    }
}

extension PrefsExplanation: CustomStringConvertible {
    /// A table: a heading with the key, then one line per layer.
    public var description: String {
        var cells = rows.map(cells(of:))
        if let defaultValue {
            let isInForce = !rows.contains { $0.role == .winner }
            cells.append(["default", shown(defaultValue), "", isInForce ? "in force" : "shadowed"])
        }
        var lines = ["\(key)\(isUntyped ? " (untyped)" : "")"] + Self.aligned(cells).map { "  \($0)" }
        if cells.isEmpty { lines.append("  set nowhere") }
        if let lock { lines.append("  locked by \(lock.origin)\(lock.key == key ? "" : " (\(lock.key))")") }
        return lines.joined(separator: "\n")
    }

    private func cells(of row: Row) -> [String] {
        let place = row.origin.file.map { file in
            [file, row.origin.position?.description].compactMap(\.self).joined(separator: ":")
        }
        return [
            row.origin.layer ?? "", shown(row.value), place ?? row.origin.spelling ?? "", verdict(row.role),
        ]
    }

    private func shown(_ value: PrefsValue) -> String { isSecret ? "••••" : value.description }

    private func verdict(_ role: Role) -> String {
        switch role {
        case .winner: "in force"
        case .shadowed: "shadowed"
        case .rejected(let error): "refused: \(error.reason)"
        case .lockedOut: "locked out"
        }
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}
