public import LayeredPrefs
public import PrefsDocuments

/// A coding that stores a Boolean value as a word.
///
/// Reading ignores whitespace around a word. `.trueFalse` and `.yesNo` accept all four words in any case, so you can
/// read a file with one strategy that was written with the other.
public struct BoolStringPrefsCoding: PrefsCodable {
    /// The words that are written.
    public let encodingStrategy: EncodingStrategy

    /// Creates the coding.
    public init(encodingStrategy: EncodingStrategy = .trueFalse(.lowercase)) {
        self.encodingStrategy = encodingStrategy
    }

    /// Returns the stored form of a value, or `nil` if the value cannot be stored.
    public func encode(prefsValue: Bool) -> String? {
        switch encodingStrategy {
        case .trueFalse(let textCase): textCase.process(prefsValue ? "true" : "false")
        case .yesNo(let textCase): textCase.process(prefsValue ? "yes" : "no")
        case .custom(let true_, let false_, _): prefsValue ? true_ : false_
        }
    }

    /// Returns the value of a stored form, or `nil` if the stored form is not valid.
    public func decode(prefsValue: String) -> Bool? {
        let word = PrefsText.trimmed(prefsValue)
        switch encodingStrategy {
        case .trueFalse, .yesNo: return Self.words[word.lowercased()]
        case .custom(let true_, let false_, let caseInsensitive):
            if Self.matches(word, true_, caseInsensitive: caseInsensitive) { return true }
            if Self.matches(word, false_, caseInsensitive: caseInsensitive) { return false }
            return nil
        }
    }

    /// Parses a word that means true or false, or one of the strategy's own words.
    public func storedForm(ofText text: String) -> PrefsValue? {
        let meaning = decode(prefsValue: text) ?? PrefsText.bool(text)
        return meaning.flatMap(encode(prefsValue:))?.prefsValue
    }

    public var expectation: String {
        switch encodingStrategy {
        case .trueFalse, .yesNo: #"the string "true", "false", "yes" or "no""#
        case .custom(let true_, let false_, _): #"the string "\#(true_)" or "\#(false_)""#
        }
    }

    private static let words = ["true": true, "yes": true, "false": false, "no": false]

    private static func matches(_ word: String, _ other: String, caseInsensitive: Bool) -> Bool {
        let other = PrefsText.trimmed(other)
        return caseInsensitive ? word.lowercased() == other.lowercased() : word == other
    }
}

extension BoolStringPrefsCoding {
    /// The words for true and false.
    public enum EncodingStrategy: Sendable, Hashable {
        /// `true` and `false`.
        case trueFalse(_ textCase: TextCase = .lowercase)
        /// `yes` and `no`.
        case yesNo(_ textCase: TextCase = .lowercase)
        /// Custom words.
        case custom(true: String, false: String, caseInsensitive: Bool = true)

        /// The letter case of words that are written.
        public enum TextCase: Sendable, Hashable {
            /// `True`
            case capitalized
            /// `true`
            case lowercase
            /// `TRUE`
            case uppercase

            /// Returns a word in this letter case.
            public func process(_ word: String) -> String {
                switch self {
                case .capitalized: word.prefix(1).uppercased() + word.dropFirst().lowercased()
                case .lowercase: word.lowercased()
                case .uppercase: word.uppercased()
                }
            }
        }
    }
}

extension LayeredPrefs.PrefsCoding where Self == BoolStringPrefsCoding {
    /// Returns a coding that stores a `Bool` as a word.
    public static func boolAsString(
        _ encodingStrategy: BoolStringPrefsCoding.EncodingStrategy = .trueFalse(.lowercase)
    ) -> Self {
        Self(encodingStrategy: encodingStrategy)
    }
}

extension PrefsCodable where StorageValue == Bool {
    /// Returns a coding that stores this coding's Boolean value as a word.
    public func boolAsString(
        _ encodingStrategy: BoolStringPrefsCoding.EncodingStrategy = .trueFalse(.lowercase)
    ) -> some PrefsCodable<Value, String> {
        chained(with: BoolStringPrefsCoding(encodingStrategy: encodingStrategy))
    }
}
