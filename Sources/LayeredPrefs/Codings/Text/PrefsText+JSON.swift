import FoundationEssentials

extension PrefsText {
    /// The value of a JSON text, or `nil` when it is none.
    static func json(_ text: String) -> PrefsValue? {
        (try? JSONDecoder().decode(JSONValueText.self, from: Data(text.utf8)))?.value
    }
}

private struct JSONValueText: Decodable {
    var value: PrefsValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Bool.self) {
            self.value = .bool(value)
        } else if let value = try? container.decode(Int128.self) {
            self.value = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self.value = .real(value)
        } else if let value = try? container.decode(String.self) {
            self.value = .string(value)
        } else if let value = try? container.decode([JSONValueText].self) {
            self.value = .array(value.map(\.value))
        } else {
            value = .dictionary(try container.decode([String: JSONValueText].self).mapValues(\.value))
        }
    }
}
