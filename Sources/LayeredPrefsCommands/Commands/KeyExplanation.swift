import LayeredPrefs

/// The explanation of a key's effective value, and the declaration of the key.
struct KeyExplanation {
    let explanation: PrefsExplanation
    let declared: DeclaredKey?
    let value: PrefsValue?
    /// The note shown in place of the type, for a key that the program does not declare.
    let note: String?

    init(_ key: DeclaredKey, _ snapshot: PrefsSnapshot, _ stack: Stack) {
        explanation = snapshot.explanation(for: key.key)
        declared = key
        value = snapshot.get(key.key)
        note = nil
    }

    init(_ name: String, _ snapshot: PrefsSnapshot, _ stack: Stack) {
        explanation = snapshot.explanation(forKey: name)
        declared = nil
        value = snapshot[name]
        note = stack.declared.map { declared in
            let hint = declared.nearest(to: name).map { "; did you mean “\($0)”?" } ?? ""
            return "unknown key\(hint)"
        }
    }

    /// True if the key is neither declared nor set.
    var isNothing: Bool { declared == nil && explanation.rows.isEmpty }
}

extension KeyExplanation {
    func print(_ style: Style) {
        Output.print(heading(style))
        if let text = declared?.traits.documentation {
            for line in text.split(separator: "\n") { Output.print("  " + style(String(line), .dim)) }
        }
        for line in table.lines(style, isAligned: true, indent: "  ") { Output.print(line) }
        if explanation.rows.isEmpty, value == nil { Output.print("  not set") }
        for line in remarks { Output.print("  " + line) }
    }

    private func heading(_ style: Style) -> String {
        let type = declared.map { "\($0.type)" } ?? "untyped: no schema declares the type"
        let limits = declared.map { $0.limits.description }.flatMap { $0.isEmpty ? nil : ", \($0)" } ?? ""
        return style(explanation.key, .bold) + " " + style("(\(note ?? type + limits))", .dim)
    }

    private var table: Table {
        var table = Table()
        for row in explanation.rows {
            let (verdict, colour) = Self.verdict(row.role)
            table.add(
                .init(row.origin.layer ?? ""), .init(shown(row.value), colour),
                .init(row.origin.placeWithinLayer),
                .init(verdict, colour))
        }
        if let fallback = explanation.defaultValue {
            let isEffective = !explanation.rows.contains { $0.role == .winner }
            table.add(
                .init("default"), .init(shown(fallback), isEffective ? .green : .dim), .init(""),
                .init(isEffective ? "effective" : "shadowed", isEffective ? .green : .dim))
        }
        return table
    }

    private static func verdict(_ role: PrefsExplanation.Role) -> (String, Style.Colour) {
        switch role {
        case .winner: ("effective", .green)
        case .shadowed: ("shadowed", .dim)
        case .rejected(let error): ("rejected: \(error.reason)", .red)
        case .lockedOut: ("locked out", .yellow)
        }
    }

    private var remarks: [String] {
        var remarks: [String] = []
        if let lock = explanation.lock {
            let what = lock.key == explanation.key ? "" : " (\(lock.key))"
            remarks.append("locked by \(lock.origin)\(what)")
        }
        if !explanation.variables.isEmpty {
            remarks.append("environment: \(explanation.variables.joined(separator: ", "))")
        }
        if let condition = declared?.condition { remarks.append("the program also requires: \(condition)") }
        if let former = declared?.traits.formerNames, !former.isEmpty {
            remarks.append("formerly: \(former.joined(separator: ", "))")
        }
        if declared?.traits.needsRestart == true { remarks.append("changes take effect after a restart") }
        return remarks
    }

    private func shown(_ value: PrefsValue) -> String {
        explanation.isSecret ? Answer.hidden : ValueText.quoted(value)
    }
}

extension PrefsOrigin {
    /// File and line; for a layer without files, the name it uses for the key.
    var placeWithinLayer: String {
        let place = [file, position?.description].compactMap(\.self).joined(separator: ":")
        return place.isEmpty ? spelling ?? "" : place
    }
}

extension KeyExplanation {
    var json: JSONLine {
        var members: [(String, JSONLine)] = [
            ("key", .string(explanation.key)), ("value", hiding(value)),
            ("untyped", .bool(explanation.isUntyped)),
        ]
        if let declared {
            members += [
                ("type", .string(declared.type.description)), ("default", hiding(explanation.defaultValue)),
                ("documentation", JSONLine(declared.traits.documentation)),
                ("secret", .bool(declared.isSecret)),
                ("needsRestart", .bool(declared.traits.needsRestart)),
            ]
        }
        if let note { members.append(("note", .string(note))) }
        members.append(("environment", .array(explanation.variables.map(JSONLine.string))))
        members.append(("lock", explanation.lock?.json ?? .null))
        members.append(("layers", .array(explanation.rows.map(json))))
        return .object(members)
    }

    private func hiding(_ value: PrefsValue?) -> JSONLine {
        explanation.isSecret && value != nil ? .string(Answer.hidden) : JSONLine(value)
    }

    private func json(_ row: PrefsExplanation.Row) -> JSONLine {
        var members = PrefsOrigin?(row.origin).members
        members.insert(("value", hiding(row.value)), at: 1)
        members += [("spelling", JSONLine(row.origin.spelling)), ("role", .string(row.role.name))]
        if case .rejected(let error) = row.role { members.append(("reason", .string(error.reason))) }
        return .object(members)
    }
}

extension PrefsExplanation.Role {
    var name: String {
        switch self {
        case .winner: "winner"
        case .shadowed: "shadowed"
        case .rejected: "rejected"
        case .lockedOut: "lockedOut"
        }
    }
}

extension PrefsLock {
    var json: JSONLine {
        .object([("key", .string(key))] + PrefsOrigin?(origin).members.filter { $0.0 != "column" })
    }
}
