import LayeredPrefs
import LayeredPrefsInspection

/// The explanation of a key's effective value, and the declaration of the key.
struct KeyExplanation {
    let explanation: PrefsExplanation
    let declared: PrefsKeyDescription?
    let value: PrefsValue?
    /// The note to show instead of the type, for a key that the program does not declare.
    let note: String?
    /// The path of the file that the first write would create; `nil` if it exists.
    private let newFile: String?
    private let secrets: SecretPaths

    init(_ name: String, _ snapshot: PrefsSnapshot, _ stack: Stack) {
        explanation = stack.explanation(of: name, in: snapshot)
        declared = stack.declared?[name]
        secrets = stack.declared.secrets
        value = if let declared { declared.value(in: snapshot) } else { snapshot[name] }
        note = stack.declared?.note(on: name)
        newFile = stack.newFile
    }

    /// True if the key is neither declared nor set.
    var isNothing: Bool { declared == nil && explanation.rows.isEmpty }
}

extension KeyExplanation {
    func print(_ style: Style) {
        Output.print(heading(style))
        if let text = declared?.documentation {
            for line in text.split(separator: "\n") { Output.print("  \(style(String(line), .dim))") }
        }
        table.print(asPart: true)
        if explanation.rows.isEmpty, value == nil { Output.print("  not set") }
        for line in remarks { Output.print("  \(line)") }
    }

    private func heading(_ style: Style) -> TerminalText {
        let type = declared.map { "\($0.storedType)" } ?? "untyped: no schema declares the type"
        let limits = declared.map { $0.limits.description }.flatMap { $0.isEmpty ? nil : ", \($0)" } ?? ""
        return "\(style(explanation.key, .bold)) \(style("(\(note ?? type + limits))", .dim))"
    }

    private var table: Table {
        var table = Table()
        for line in explanation.lines {
            let colour = line.role.colour
            table.add(
                .init(line.layer), .init(shown(line), colour), .init(line.place),
                .init(line.role.verdict(of: explanation.key), colour))
        }
        return table
    }

    private var remarks: [String] {
        var remarks: [String] = []
        if let lock = explanation.lockRemark { remarks.append(lock) }
        if !explanation.variables.isEmpty {
            remarks.append("environment: \(explanation.variables.joined(separator: ", "))")
        }
        if let condition = declared?.validation { remarks.append(condition) }
        if let former = declared?.formerNames, !former.isEmpty {
            remarks.append("formerly: \(former.joined(separator: ", "))")
        }
        if declared?.needsRestart == true { remarks.append("changes take effect after a restart") }
        if let newFile { remarks.append("a write creates \(newFile)") }
        return remarks
    }

    /// Returns a row's value. A string that is rejected for its type is shown in quotes.
    private func shown(_ line: PrefsExplanation.Row) -> String {
        if case .rejected = line.role, case .string = line.value, line.place.hasPrefix("/"),
            !secrets.covers(PrefsPath(explanation.key))
        {
            return line.value.description
        }
        return ValueText.shown(line.value, at: explanation.key, secrets)
    }
}

extension KeyExplanation {
    var json: OrderedJSON {
        var members: [(String, OrderedJSON)] = [
            ("key", .string(explanation.key)), ("value", hiding(value)),
            ("untyped", .bool(explanation.isUntyped)),
        ]
        if let declared {
            members += [
                ("type", .string(declared.storedType.description)),
                ("default", hiding(explanation.defaultValue)),
                ("documentation", OrderedJSON(declared.documentation)),
                ("secret", .bool(declared.isSecret)),
                ("needsRestart", .bool(declared.needsRestart)),
            ]
        }
        if let note { members.append(("note", .string(note))) }
        members.append(("environment", .array(explanation.variables.map(OrderedJSON.string))))
        members.append(("lock", explanation.lock?.json ?? .null))
        if let newFile { members.append(("newFile", .string(newFile))) }
        members.append(("layers", .array(explanation.rows.map(json))))
        return .object(members)
    }

    private func hiding(_ value: PrefsValue?) -> OrderedJSON {
        OrderedJSON(value.map { secrets.masking($0, at: PrefsPath(explanation.key)) })
    }

    private func json(_ row: PrefsExplanation.Row) -> OrderedJSON {
        var members = PrefsOrigin?(row.origin).members
        members.insert(("value", hiding(row.value)), at: 1)
        members += [("spelling", OrderedJSON(row.origin.spelling)), ("role", .string(row.role.name))]
        if case .rejected(let error) = row.role { members.append(("reason", .string(error.reason))) }
        return .object(members)
    }
}

extension PrefsExplanation.Role {
    fileprivate var colour: Style.Colour {
        switch self {
        case .winner: .green
        case .shadowed: .dim
        case .rejected: .red
        case .lockedOut: .yellow
        }
    }

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
    var json: OrderedJSON {
        .object([("key", .string(key))] + PrefsOrigin?(origin).members.filter { $0.0 != "column" })
    }
}
