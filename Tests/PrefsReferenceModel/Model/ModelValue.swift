/// A stored value, as the model sees it, in one of eight forms.
///
/// Values compare by content, reals by bit pattern. Dates are seconds since 2001-01-01.
enum ModelValue: Sendable, Codable {
    case string(String)
    case bool(Bool)
    case integer(Int128)
    case real(Double)
    case data([UInt8])
    case date(Double)
    case array([ModelValue])
    case dictionary([String: ModelValue])
}

extension ModelValue: Hashable {
    static func == (lhs: ModelValue, rhs: ModelValue) -> Bool {
        switch (lhs, rhs) {
        case (.string(let lhs), .string(let rhs)): lhs == rhs
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.integer(let lhs), .integer(let rhs)): lhs == rhs
        case (.real(let lhs), .real(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.data(let lhs), .data(let rhs)): lhs == rhs
        case (.date(let lhs), .date(let rhs)): lhs.bitPattern == rhs.bitPattern
        case (.array(let lhs), .array(let rhs)): lhs == rhs
        case (.dictionary(let lhs), .dictionary(let rhs)): lhs == rhs
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(description)
    }
}

extension ModelValue {
    /// The entries of a dictionary; `nil` for every other form.
    var entries: [String: ModelValue]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    /// The name of the value's form.
    var form: String {
        switch self {
        case .string: "string"
        case .bool: "bool"
        case .integer: "integer"
        case .real: "real"
        case .data: "data"
        case .date: "date"
        case .array: "array"
        case .dictionary: "dictionary"
        }
    }

    /// Returns the value at `components` below this one; `nil` if a component is missing or its parent is not
    /// a dictionary.
    func at(_ components: some Collection<String>) -> ModelValue? {
        guard let first = components.first else { return self }
        return entries?[first]?.at(components.dropFirst())
    }

    /// Returns a copy with `value` at `components`, replacing non-dictionaries on the way by dictionaries.
    func putting(_ value: ModelValue, at components: some Collection<String>) -> ModelValue {
        guard let first = components.first else { return value }
        var entries = entries ?? [:]
        entries[first] = (entries[first] ?? [:]).putting(value, at: components.dropFirst())
        return .dictionary(entries)
    }

    /// Returns a copy without the value at `components`; the dictionaries on the way stay, even if empty.
    func removing(at components: some Collection<String>) -> ModelValue {
        guard let first = components.first, var entries, let inner = entries[first] else { return self }
        let rest = components.dropFirst()
        entries[first] = rest.isEmpty ? nil : inner.removing(at: rest)
        return .dictionary(entries)
    }

    /// Returns a copy without the value at `components`. The dictionaries that become empty on the way are
    /// removed, too.
    func pruning(at components: some Collection<String>) -> ModelValue {
        guard let first = components.first, var entries, let inner = entries[first] else { return self }
        let rest = inner.pruning(at: components.dropFirst())
        entries[first] = components.count == 1 || rest != inner && rest == [:] ? nil : rest
        return .dictionary(entries)
    }

    /// Returns a copy without the non-dictionary, if there is one, on the way to `components`.
    func removingBar(on components: some Collection<String>) -> ModelValue {
        guard let first = components.first, var entries, let inner = entries[first] else { return self }
        let rest = components.dropFirst()
        let isBar = !rest.isEmpty && inner.entries == nil
        entries[first] = isBar ? nil : inner.removingBar(on: rest)
        return .dictionary(entries)
    }

    /// True if this value, or one on the way to the parent of `components`, is not a dictionary.
    func isBlocked(on components: some Collection<String>) -> Bool {
        guard let first = components.first else { return false }
        guard let entries else { return true }
        return entries[first]?.isBlocked(on: components.dropFirst()) ?? false
    }
}

extension ModelValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(integerLiteral value: Int) { self = .integer(Int128(value)) }
    init(floatLiteral value: Double) { self = .real(value) }
    init(arrayLiteral elements: ModelValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, ModelValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}

extension ModelValue: CustomStringConvertible {
    /// Swift source for the value, ready to paste into a test.
    var description: String {
        switch self {
        case .string(let value): value.debugDescription
        case .bool(let value): "\(value)"
        case .integer(let value): Int(exactly: value) == nil ? ".integer(\(value))" : "\(value)"
        case .real(let value): value.isFinite ? "\(value)" : value.isNaN ? ".real(.nan)" : ".real(\(value))"
        case .data(let value): ".data(\(value))"
        case .date(let value): ".date(\(value))"
        case .array(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
        case .dictionary(let entries): entries.modelSource
        }
    }
}

extension Dictionary where Key == String, Value: CustomStringConvertible {
    /// Swift source for the dictionary, with sorted keys.
    var modelSource: String {
        let entries = sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value.modelText)" }
        return entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]"
    }
}

extension CustomStringConvertible {
    /// Swift source: a string in quotes, anything else as its description.
    fileprivate var modelText: String { (self as? String)?.debugDescription ?? description }
}
