import SwiftDiagnostics

/// If the compiler reports an error anyway, the message is a note that names the fix.
extension PrefsMessage {
    static func notInSchema(_ macro: String) -> Self {
        Self(
            "notInSchema", "@\(macro) requires a class with '@PrefsSchema': add that attribute to the class"
        )
    }

    static func constant(_ macro: String) -> Self {
        Self(
            "constant", "@\(macro) requires a variable: replace 'let' with 'var'",
            severity: .note)
    }

    static func modifier(_ modifier: String, _ macro: String) -> Self {
        Self(
            "modifier", "@\(macro) is stored per schema instance: remove '\(modifier)'",
            severity: modifier == "lazy" ? .note : .error)
    }

    static func notOneVariable(_ macro: String) -> Self {
        Self("notOneVariable", "@\(macro) applies to a single variable: declare each one separately")
    }

    static func accessors(_ macro: String) -> Self {
        Self("accessors", "@\(macro) generates the accessors: remove this one")
    }

    static func twoAttributes(_ first: String, _ second: String) -> Self {
        first == second
            ? Self("sameAttribute", "duplicate attribute: remove one '@\(first)'")
            : Self("twoAttributes", "conflicting attributes: remove '@\(first)' or '@\(second)'")
    }

    static func noType(_ name: String) -> Self {
        Self(
            "noType",
            "'\(name)' needs a type: write it, as in 'var \(name): String?', or a default that implies it",
            severity: .note)
    }

    static func noDefault(_ name: String, _ type: String) -> Self {
        Self("noDefault", "'\(name)' needs a default: write '= …' after it, or make its type '\(type)?'")
    }

    static func optionalDefault(_ name: String) -> Self {
        Self(
            "optionalDefault",
            "'\(name)' is optional, so its default is nil: remove the default or make the type non-optional")
    }

    static func implicitlyUnwrapped(_ name: String, _ type: String) -> Self {
        Self("implicitlyUnwrapped", "'\(name)' cannot be implicitly unwrapped: make its type '\(type)?'")
    }

    static func needsStoredForm(_ type: String, _ stored: String) -> Self {
        Self("needsStoredForm", "'\(type)' holds values of any type: make it '\(stored)'")
    }

    static func needsExplicitType(_ name: String, _ why: String) -> Self {
        Self("needsExplicitType", "'\(name)' \(why): write its type, as in 'var \(name): String = …'")
    }

    static func otherActor(_ name: String, _ actor: String, _ schemaActor: String) -> Self {
        Self(
            "otherActor",
            "'\(name)' cannot be isolated to '\(actor)' in a schema isolated to '\(schemaActor)': remove '@\(actor)'"
        )
    }

    static func groupType(_ name: String) -> Self {
        Self(
            "groupType",
            "'\(name)' needs the type of a '@PrefsGroup' class, as in '@PrefGroup var \(name): HTTPPrefs'")
    }

    /// - Parameter isUnavailable: True if the value calls the unavailable initializer that the macro adds to
    ///   groups for this mistake.
    static func groupValue(_ name: String, isUnavailable: Bool) -> Self {
        Self(
            "groupValue", "the schema creates '\(name)': remove its initial value",
            severity: isUnavailable ? .note : .error)
    }
}
