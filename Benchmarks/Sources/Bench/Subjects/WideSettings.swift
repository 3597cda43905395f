import LayeredPrefs

/// A whole configuration of any number of fields.
struct WideSettings: Codable, Sendable {
    var values: [Int]

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }

        static let count = Key(stringValue: "count")
        static func field(_ index: Int) -> Key { Key(stringValue: "field\(index)") }
    }

    init(_ count: Int) { values = Array(repeating: 0, count: count) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let count = try container.decode(Int.self, forKey: .count)
        values = try (0..<count).map { try container.decode(Int.self, forKey: .field($0)) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(values.count, forKey: .count)
        for (index, value) in values.enumerated() { try container.encode(value, forKey: .field(index)) }
    }

    /// Returns the contents of a layer that sets all fields.
    static func contents(_ count: Int, _ value: Int) -> [String: PrefsValue] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("field\($0)", .integer(Int128(value))) })
    }

    /// Returns a stack whose only layer sets all fields.
    static func stack(_ layer: DictionaryPrefsStorage) -> PrefsStack {
        PrefsStack(diagnostics: .silent) { PrefsLayer(.system, layer) }
    }
}

/// A whole configuration with a large dictionary.
struct RoutedSettings: Codable, Sendable {
    var limit = 0
    var routes: [String: CountedRoute] = [:]

    static func stack(_ count: Int) -> PrefsStack {
        let routes = (0..<count).map { number in
            (
                "route\(number)",
                ["number": .integer(Int128(number)), "timeout": "30s", "host": "host"] as PrefsValue
            )
        }
        return PrefsStack(diagnostics: .silent) {
            PrefsLayer(
                .system,
                DictionaryPrefsStorage(
                    values: ["routes": .dictionary(Dictionary(uniqueKeysWithValues: routes))]))
            PrefsLayer.overrides
        }
    }
}
