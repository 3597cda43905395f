/// A stored value, as the model sees it: the eight forms of DESIGN "One of each".
///
/// "Values compare by content, reals by bit pattern." Dates count seconds since 2001-01-01.
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
    /// The content of a dictionary, `nil` for every other form.
    var entries: [String: ModelValue]? {
        if case .dictionary(let entries) = self { entries } else { nil }
    }

    /// Which of the eight forms it is.
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

    /// What lies at `components` beneath this value; `nil` where a component is missing or not a dictionary.
    func at(_ components: some Collection<String>) -> ModelValue? {
        guard let first = components.first else { return self }
        return entries?[first]?.at(components.dropFirst())
    }

    /// This value with `value` at `components`, making dictionaries of whatever is in the way.
    func putting(_ value: ModelValue, at components: some Collection<String>) -> ModelValue {
        guard let first = components.first else { return value }
        var entries = entries ?? [:]
        entries[first] = (entries[first] ?? [:]).putting(value, at: components.dropFirst())
        return .dictionary(entries)
    }

    /// This value without what lies at `components`; the dictionaries on the way stay, even empty.
    func removing(at components: some Collection<String>) -> ModelValue {
        guard let first = components.first, var entries, let inner = entries[first] else { return self }
        let rest = components.dropFirst()
        entries[first] = rest.isEmpty ? nil : inner.removing(at: rest)
        return .dictionary(entries)
    }

    /// This dictionary without the non-dictionary, if there is one, that lies on the way to `components`.
    func removingBar(on components: some Collection<String>) -> ModelValue {
        guard let first = components.first, var entries, let inner = entries[first] else { return self }
        let rest = components.dropFirst()
        let isBar = !rest.isEmpty && inner.entries == nil
        entries[first] = isBar ? nil : inner.removingBar(on: rest)
        return .dictionary(entries)
    }

    /// Whether a non-dictionary lies at or on the way to the parent of `components`.
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
    /// Swift source for the value, to be pasted into a test.
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
    /// Swift source for the dictionary, keys in order.
    var modelSource: String {
        let entries = sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value.modelText)" }
        return entries.isEmpty ? "[:]" : "[\(entries.joined(separator: ", "))]"
    }
}

extension CustomStringConvertible {
    /// Swift source: a string with its quotes, anything else as it describes itself.
    fileprivate var modelText: String { (self as? String)?.debugDescription ?? description }
}
