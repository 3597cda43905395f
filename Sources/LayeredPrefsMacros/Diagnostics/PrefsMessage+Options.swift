import SwiftSyntax

extension PrefsMessage {
    static func untypedCondition(_ type: TypeSyntax?) -> Self {
        let type = type?.trimmedDescription ?? "String"
        return Self(
            "untypedCondition", "the condition's parameter needs a type: write '{ (value: \(type)) in … }'")
    }

    static func badKey(_ key: String) -> Self {
        Self(
            "badKey", "'\(key)' is no dotted path: write names separated by single dots, such as 'http.port'")
    }

    static func badEnvironmentName(_ name: String) -> Self {
        Self(
            "badEnvironmentName",
            "'\(name)' is no name for an environment variable: use letters, digits and '_', such as 'MYD_PORT'"
        )
    }

    static func unordered(_ type: String) -> Self {
        Self("unordered", "'in:' does not apply to '\(type)': use 'validate:'")
    }

    static func integerBounds(_ range: String, _ type: String) -> Self {
        Self(
            "integerBounds",
            "\(range) holds integers, and this is '\(type)': write bounds of that type, or use 'validate:'")
    }

    static func defaultOutside(_ value: Int, _ range: String) -> Self {
        Self("defaultOutside", "the default \(value) is outside \(range): change one of them")
    }

    static func formerlyItself(_ name: String) -> Self {
        Self("formerlyItself", "'\(name)' is the key's present name: remove it from 'formerly:'")
    }

    static func formerlyAnother(_ name: String, _ pref: String, _ other: String) -> Self {
        Self(
            "formerlyAnother",
            "'\(other)' is stored under '\(name)' now, so '\(pref)' cannot be found there: remove it from 'formerly:'"
        )
    }

    static func halfCoding(_ missing: String) -> Self {
        Self("halfCoding", "a coding goes both ways: add '\(missing):'")
    }

    static func notMergeable(_ type: String) -> Self {
        Self("notMergeable", "'merge: .deep' applies to dictionaries, and this is '\(type)': remove it")
    }
}
