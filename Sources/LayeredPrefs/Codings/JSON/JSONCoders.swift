package import FoundationEssentials

/// The coders that all JSON codings share; neither keeps state between calls, nor is it modified after its
/// creation.
package enum JSONCoders {
    /// Sorts keys, so that equal values are stored as equal bytes and writing an equal value is no change.
    package static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    package static let decoder = JSONDecoder()
}
