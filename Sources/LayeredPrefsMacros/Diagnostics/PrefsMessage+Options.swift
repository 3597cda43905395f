import SwiftSyntax

extension PrefsMessage {
    static func untypedCondition(_ type: TypeSyntax?) -> Self {
        let type = type?.trimmedDescription ?? "String"
        return Self("the condition's parameter needs a type: write '{ (value: \(type)) in … }'")
    }

    static func badKey(_ key: String) -> Self {
        Self("'\(key)' is not a dotted path: use names separated by single dots, as in 'http.port'")
    }

    static func badEnvironmentName(_ name: String) -> Self {
        Self("'\(name)' is not an environment variable name: use letters, digits and '_', as in 'MYD_PORT'")
    }

    static func unordered(_ type: String) -> Self {
        Self("'in:' does not apply to '\(type)': use 'validate:'")
    }

    static func integerBounds(_ range: String, _ type: String) -> Self {
        Self("\(range) has integer bounds, but the type is '\(type)': use bounds of that type or 'validate:'")
    }

    static func defaultOutside(_ value: Int, _ range: String) -> Self {
        Self("the default \(value) is outside \(range): change one of them")
    }

    static func formerlyItself(_ name: String) -> Self {
        Self("'\(name)' is the key's current name: remove it from 'formerly:'")
    }

    static func formerlyAnother(_ name: String, _ pref: String, _ other: String) -> Self {
        Self(
            "'\(name)' cannot be a former name of '\(pref)', because '\(other)' is stored there: remove it from 'formerly:'"
        )
    }

    static func halfCoding(_ missing: String) -> Self {
        Self("a coding needs both 'encode:' and 'decode:': add '\(missing):'")
    }

    static var releaseValueOfAll: Self {
        Self("'releaseValue:' applies to preferences of debug builds: add 'debugOnly: true'")
    }

    static func notMergeable(_ type: String) -> Self {
        Self("'merge: .deep' applies to dictionaries, but the type is '\(type)': remove it")
    }
}
