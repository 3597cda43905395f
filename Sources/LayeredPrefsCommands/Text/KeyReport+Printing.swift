import LayeredPrefs

extension KeyReport {
    /// Returns the value on one line, quoted for the shell.
    func shown(revealing: Bool = false) -> String {
        guard let value else { return "" }
        return isSecret && !revealing ? SecretPaths.mask : ValueText.quoted(value)
    }

    /// The origin's place, such as `user ~/.config/com.example.myd.plist:12`, or `default`.
    var place: String { origin?.place ?? "default" }

    /// Returns the report as a JSON object.
    ///
    /// - Parameter isUntyped: True if no schema is known.
    func json(revealing: Bool, isUntyped: Bool) -> OrderedJSON {
        let isHidden = isSecret && !revealing
        var members: [(String, OrderedJSON)] = [
            ("key", .string(key)),
            ("value", isHidden && value != nil ? .string(SecretPaths.mask) : OrderedJSON(value)),
            ("type", OrderedJSON(value?.typeName)),
        ]
        members += origin.members
        if isHidden { members.append(("secret", .bool(true))) }
        members.append(("untyped", .bool(isUntyped)))
        if !isUntyped { members.append(("declared", .bool(declared != nil))) }
        if let lock { members.append(("lock", .string(lock.origin.place))) }
        if !rejected.isEmpty {
            members.append(("rejected", .array(rejected.map { .string("\($0)") })))
        }
        return .object(members)
    }
}

extension PrefsOrigin {
    /// The layer and the location. For an environment variable, the layer and the variable's name.
    var place: String {
        guard file == nil, let spelling, spelling.allSatisfy({ $0.isUppercase || $0 == "_" || $0.isNumber })
        else {
            return description
        }
        return [layer, spelling].compactMap(\.self).joined(separator: " ")
    }
}

extension PrefsOrigin? {
    /// The JSON members for layer, file, line and column; `null` where there is none.
    var members: [(String, OrderedJSON)] {
        [("layer", OrderedJSON(self?.layer ?? (self == nil ? nil : "")))] + fileMembers
    }

    var fileMembers: [(String, OrderedJSON)] {
        var (line, column): (Int?, Int?) = (nil, nil)
        if case .line(let number, let byte) = self?.position { (line, column) = (number, byte) }
        return [
            ("file", OrderedJSON(self?.file)),
            ("line", line.map { OrderedJSON($0) } ?? .null),
            ("column", column.map { OrderedJSON($0) } ?? .null),
        ]
    }
}
