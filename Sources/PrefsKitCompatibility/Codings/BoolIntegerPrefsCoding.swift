public import LayeredPrefs
public import PrefsDocuments

/// A coding that stores a Boolean value as the integer 1 or 0.
public struct BoolIntegerPrefsCoding: PrefsCodable {
    /// The interpretation of other integers when they are read.
    public enum DecodingStrategy: Sendable, Hashable {
        /// Only 1 and 0 are accepted.
        case strict
        /// Integers from 1 on are true, and integers up to 0 are false.
        case nearest
    }

    /// The interpretation of other integers when they are read.
    public let decodingStrategy: DecodingStrategy

    /// Creates the coding.
    public init(decodingStrategy: DecodingStrategy = .nearest) {
        self.decodingStrategy = decodingStrategy
    }

    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: Bool) -> Int? { prefsValue ? 1 : 0 }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: Int) -> Bool? {
        switch (decodingStrategy, prefsValue) {
        case (.strict, 0): false
        case (.strict, 1): true
        case (.strict, _): nil
        case (.nearest, _): prefsValue >= 1
        }
    }

    /// Parses an integer, or a word such as `yes`.
    public func storedForm(ofText text: String) -> PrefsValue? {
        Int.storedForm(ofText: text) ?? PrefsText.bool(text).flatMap(encode(prefsValue:))?.prefsValue
    }

    public var expectation: String { decodingStrategy == .strict ? "the integer 1 or 0" : "an integer" }
}

// PrefsKit's README and its code disagree about the name, so both compile.

extension LayeredPrefs.PrefsCoding where Self == BoolIntegerPrefsCoding {
    /// Returns a coding that stores a `Bool` as 1 or 0.
    public static func boolAsInteger(
        decodingStrategy: BoolIntegerPrefsCoding.DecodingStrategy = .nearest
    ) -> Self {
        Self(decodingStrategy: decodingStrategy)
    }

    /// Returns a coding that stores a `Bool` as 1 or 0.
    public static func boolAsInt(
        decodingStrategy: BoolIntegerPrefsCoding.DecodingStrategy = .nearest
    ) -> Self {
        Self(decodingStrategy: decodingStrategy)
    }
}

extension PrefsCodable where StorageValue == Bool {
    /// Returns a coding that stores this coding's Boolean value as 1 or 0.
    public func boolAsInteger(
        decodingStrategy: BoolIntegerPrefsCoding.DecodingStrategy = .nearest
    ) -> some PrefsCodable<Value, Int> {
        chained(with: BoolIntegerPrefsCoding(decodingStrategy: decodingStrategy))
    }

    /// Returns a coding that stores this coding's Boolean value as 1 or 0.
    public func boolAsInt(
        decodingStrategy: BoolIntegerPrefsCoding.DecodingStrategy = .nearest
    ) -> some PrefsCodable<Value, Int> {
        boolAsInteger(decodingStrategy: decodingStrategy)
    }
}
