package import FoundationEssentials
import PrefsDocuments

/// The coders that all JSON codings share. They keep no state between calls, and are never modified after their
/// creation.
package enum JSONCoders {
    /// Sorts keys, so that equal values are stored as equal bytes and writing an equal value is no change.
    package static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    package static let decoder = JSONDecoder()

    /// - Throws: ``PrefsError`` that quotes the encoder's error.
    static func data<Value: Encodable>(of value: Value) throws(PrefsError) -> Data {
        do {
            return try encoder.encode(value)
        } catch {
            throw PrefsError(.notEncodable, reason: "this \(Value.self) cannot be encoded: \(error)")
        }
    }

    /// - Throws: ``PrefsError`` that quotes the encoder's error.
    static func text(of value: some Encodable) throws(PrefsError) -> String {
        String(decoding: try data(of: value), as: UTF8.self)
    }
}
