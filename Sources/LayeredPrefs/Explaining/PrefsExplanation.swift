public import PrefsDocuments

/// An explanation of a key's value: the candidate of every layer, from the highest to the lowest, and its
/// role.
///
/// The ``description`` is a table for people. It shows secrets as `••••`:
///
/// ```
/// http.port
///   user     1     http.port  locked out
///   system   8080  http.port  effective
///   default  80               shadowed
///   locked by system (http)
/// ```
public struct PrefsExplanation: Sendable, Hashable {
    /// The role of a layer's value in the resolution.
    public enum Role: Sendable, Hashable {
        /// The effective value.
        case winner
        /// An acceptable value below the winner.
        case shadowed
        /// A rejected value, with the reason.
        case rejected(PrefsError)
        /// A value above the layer that locks the key.
        case lockedOut
    }

    /// One layer's value.
    public struct Row: Sendable, Hashable {
        /// The stored value.
        public var value: PrefsValue
        /// The layer, file and line of the value.
        public var origin: PrefsOrigin
        /// The value's role in the resolution.
        public var role: Role
        /// A Boolean value that indicates whether descriptions mask the value.
        public var isSecret = false
        /// The name of the field that the value belongs to, including the key's name, if the key is merged
        /// per field.
        public var field: String?
    }

    /// The key's name.
    public var key: String
    /// The values of the layers that set the key, from the highest to the lowest.
    public var rows: [Row]
    /// The stored form of the key's own default, or `nil` if the key is untyped or its default has no stored
    /// form.
    public var defaultValue: PrefsValue?
    /// The key lock, if there is one.
    public var lock: PrefsLock?
    /// The names of the environment variables that set the key.
    public var variables: [String]
    /// A Boolean value that indicates whether ``description`` masks the values.
    public var isSecret: Bool
    /// A Boolean value that indicates whether the key is untyped.
    ///
    /// The topmost value wins then, because there is no type to check it by.
    public var isUntyped: Bool
    /// The newest versions of sources that are not active, with their problems at the key.
    ///
    /// Only a stack in a running program lists them.
    public var rejections: [PrefsSourceStatus.Rejection] = []
}

extension PrefsSnapshot {
    /// Explains a key's value in this snapshot.
    public func explanation(for key: PersistentKey<some Sendable>) -> PrefsExplanation {
        var explanation = explain(key.name, isUntyped: false, parse: key.storedForm(ofText:)) { candidate in
            if case .failure(let error) = key.read(candidate) { error.naming(key.id) } else { nil }
        }
        if let merge = key.fieldMerge { explanation.rows = rows(of: key, merge) }
        if !key.isMutable {
            // A debug key in a release build ignores the layers, so none is part of the explanation.
            (explanation.rows, explanation.lock, explanation.variables) = ([], nil, [])
        }
        explanation.defaultValue = key.storedDefault
        return explanation
    }

    /// Explains the untyped value of a key in this snapshot.
    public func explanation(forKey key: String) -> PrefsExplanation {
        explain(PrefsKeyName(key), isUntyped: true) { $0.rejection?.naming(key) }
    }

    /// - Parameter parse: Parses a text. A row shows a parsed dictionary instead of its text.
    func explain(
        _ name: PrefsKeyName, isUntyped: Bool, parse: (String) -> PrefsValue? = { _ in nil },
        rejection: (PrefsCandidate) -> PrefsError?
    ) -> PrefsExplanation {
        let lock = lock(on: name)
        var hasWinner = false
        let rows = values(for: name).map { found in
            let candidate = found.candidate
            var role = PrefsExplanation.Role.shadowed
            if let lock, found.height > lock.height {
                role = .lockedOut
            } else if let error = rejection(candidate) {
                role = .rejected(error)
            } else if !hasWinner {
                hasWinner = true
                role = .winner
            }
            var value = candidate.value
            if candidate.isText, case .string(let text) = value, let parsed = parse(text),
                parsed.kind == .dictionary
            {
                value = parsed
            }
            return PrefsExplanation.Row(
                value: value, origin: candidate.origin, role: role, isSecret: candidate.isSecret)
        }
        return PrefsExplanation(
            key: name.name, rows: rows, lock: lock, variables: variables(for: name),
            isSecret: name.isSecret || name.paths.contains(where: secrets.touches), isUntyped: isUntyped)
    }

    /// Returns one row for each field that each layer sets, by field and from the highest layer to the lowest.
    private func rows<Value>(
        of key: PersistentKey<Value>, _ merge: FieldMerge<Value>
    ) -> [PrefsExplanation.Row] {
        var effective: Set<[String]> = []
        let rows = values(for: key.name).flatMap { found in
            let candidate = found.candidate
            let errors = merge.rejections(of: candidate).map { $0.error.naming(key.id) }
            return merge.fields(of: candidate).map { field -> (field: [String], row: PrefsExplanation.Row) in
                let name = PrefsPath(components: PrefsPath(key.id).components + field).name
                let path = PrefsPath(components: found.path.components + field)
                var role = PrefsExplanation.Role.shadowed
                let error = errors.first { $0.key == key.id || $0.key?.isAt(name) == true }
                if let lock = lock(on: path), found.height > lock.height {
                    role = .lockedOut
                } else if let error {
                    role = .rejected(error)
                } else if effective.insert(field).inserted {
                    role = .winner
                }
                var origin = candidate.origin(ofPartAt: field.map { .key($0) })
                origin.spelling = name
                let stored = key.storedForm(in: candidate) ?? candidate.value
                let value = stored.value(at: field[...]) ?? stored
                let row = PrefsExplanation.Row(
                    value: value, origin: origin, role: role, isSecret: candidate.isSecret, field: name)
                return (field, row)
            }
        }
        return rows.enumerated().sorted { lhs, rhs in
            lhs.element.field == rhs.element.field
                ? lhs.offset < rhs.offset : lhs.element.field.lexicographicallyPrecedes(rhs.element.field)
        }.map(\.element.row)
    }

    /// Returns the environment variables that set a key.
    func variables(for name: PrefsKeyName) -> [String] {
        state.parts.compactMap { $0.source.contents.variablePrefix }.map { name.variable(prefix: $0) }
            .filter { !state.rules.claims.isLate(name.name, for: $0) }
    }
}

extension PrefsStack {
    /// Explains a key's effective value: every layer's value and its role.
    public func explanation(for key: PersistentKey<some Sendable>) -> PrefsExplanation {
        snapshot.explanation(for: key).adding(notActive)
    }

    /// Explains the untyped value of a key.
    public func explanation(forKey key: String) -> PrefsExplanation {
        snapshot.explanation(forKey: key).adding(notActive)
    }
}

extension PrefsExplanation {
    /// Returns the explanation with the problems of inactive revisions that concern the key.
    fileprivate func adding(_ revisions: [InactiveRevision]) -> PrefsExplanation {
        if revisions.isEmpty { return self }
        var explanation = self
        let places = rows.map(\.origin)
        explanation.rejections = revisions.filter { $0.extent != .values }.compactMap {
            $0.concerning(key, from: places)
        }
        return explanation
    }
}

extension PrefsExplanation.Row {
    /// The name of the layer.
    package var layer: String { origin.layer ?? "" }

    /// The file and line; for a layer without files, the name it uses for the key.
    package var place: String {
        let place = [origin.file, origin.position?.description].compactMap(\.self).joined(separator: ":")
        return place.isEmpty ? origin.revision.map { "revision \($0)" } ?? origin.spelling ?? "" : place
    }
}

extension PrefsExplanation {
    /// The lines of the table, highest first: the rows, then the key's own default.
    package var lines: [Row] {
        guard let defaultValue else { return rows }
        // A struct's default is below all of its fields, and supplies the fields that no layer sets.
        let isHidden = rows.contains { $0.role == .winner && $0.field == nil }
        let origin = PrefsOrigin(layer: "default")
        return rows + [Row(value: defaultValue, origin: origin, role: isHidden ? .shadowed : .winner)]
    }

    /// The remark below the table about the lock, if there is one.
    package var lockRemark: String? {
        lock.map { "locked by \($0.origin)\($0.key == key ? "" : " (\($0.key))")" }
    }
}

extension PrefsExplanation.Role {
    /// The role as a word of the table.
    package var verdict: String {
        switch self {
        case .winner: "effective"
        case .shadowed: "shadowed"
        case .rejected(let error): "rejected: \(error.reason)"
        case .lockedOut: "locked out"
        }
    }

    /// The role in a table about a key, with the place of the part that is rejected:
    /// `rejected: [0].port: expected …`.
    package func verdict(of key: String) -> String {
        guard case .rejected(let error) = self, let part = error.key, part.hasPrefix(key), part != key else {
            return verdict
        }
        return "rejected: \(part.dropFirst(key.count)): \(error.reason)"
    }
}

extension PrefsExplanation: CustomStringConvertible {
    /// A heading with the key, then a table with one line for each layer.
    public var description: String {
        let cells = lines.map { line in
            let field = line.field.map { "\($0.dropFirst(key.count + 1)): " } ?? ""
            return [
                line.layer.printable, field.printable + shown(line.value), line.place.printable,
                line.role.verdict.printable,
            ]
        }
        var lines =
            ["\(key.printable)\(isUntyped ? " (untyped)" : "")"] + Self.aligned(cells).map { "  \($0)" }
        if cells.isEmpty { lines.append("  not set") }
        if let lockRemark { lines.append("  \(lockRemark.printable)") }
        for rejection in rejections { lines += rejection.lines.map { "  \($0.printable)" } }
        return lines.joined(separator: "\n")
    }

    private func shown(_ value: PrefsValue) -> String {
        isSecret ? SecretPaths.mask : value.description
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension PrefsExplanation: CustomReflectable {
    /// The properties. A secret value is masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "key": key, "rows": rows, "defaultValue": defaultValue.map(shown) as Any,
                "lock": lock as Any, "variables": variables, "isUntyped": isUntyped,
            ], displayStyle: .struct)
    }
}

extension PrefsExplanation.Row: CustomStringConvertible, CustomReflectable {
    /// The value, its origin and its role:
    /// `8080 (user /home/ada/.config/com.example.myd.plist:6): effective`.
    ///
    /// A secret is shown as `•••• (…): …`.
    public var description: String { "\(shownValue) (\(origin)): \(role.verdict.printable)" }

    /// The properties. A secret value is masked.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["value": shownValue, "origin": origin, "role": role, "field": field as Any],
            displayStyle: .struct)
    }

    private var shownValue: String { isSecret ? SecretPaths.mask : value.description }
}

extension String {
    /// Returns true if this key is a field, or a part of its value, such as `routes[2].host` of `routes`.
    package func isAt(_ field: String) -> Bool {
        guard hasPrefix(field) else { return false }
        let next = dropFirst(field.count).first
        return next == nil || next == "." || next == "["
    }
}
