import SwiftDiagnostics

/// If the compiler reports an error anyway, the message is a note that names the fix.
extension PrefsMessage {
    static func notInSchema(_ macro: String) -> Self {
        Self("@\(macro) requires a class with '@PrefsSchema': add that attribute to the class")
    }

    static func constant(_ macro: String) -> Self {
        Self("@\(macro) requires a variable: replace 'let' with 'var'", severity: .note)
    }

    static func modifier(_ modifier: String, _ macro: String) -> Self {
        Self(
            "@\(macro) is stored per schema instance: remove '\(modifier)'",
            severity: modifier == "lazy" ? .note : .error)
    }

    static func notOneVariable(_ macro: String) -> Self {
        Self("@\(macro) applies to a single variable: declare each one separately")
    }

    static func accessors(_ macro: String) -> Self {
        Self("@\(macro) generates the accessors: remove this one")
    }

    static func twoAttributes(_ first: String, _ second: String) -> Self {
        first == second
            ? Self("duplicate attribute: remove one '@\(first)'", name: "sameAttribute")
            : Self("conflicting attributes: remove '@\(first)' or '@\(second)'")
    }

    static func noType(_ name: String) -> Self {
        Self(
            "'\(name)' needs a type: write it, as in 'var \(name): String?', or a default that implies it",
            severity: .note)
    }

    static func noDefault(_ name: String, _ type: String) -> Self {
        Self("'\(name)' needs a default: write '= …' after it, or make its type '\(type)?'")
    }

    static func optionalDefault(_ name: String) -> Self {
        Self("'\(name)' is optional, so its default is nil: remove the default or make the type non-optional")
    }

    static func implicitlyUnwrapped(_ name: String, _ type: String) -> Self {
        Self("'\(name)' cannot be implicitly unwrapped: make its type '\(type)?'")
    }

    static func needsStoredForm(_ type: String, _ stored: String) -> Self {
        Self("'\(type)' holds values of any type: make it '\(stored)'")
    }

    static func needsExplicitType(_ name: String, _ why: String) -> Self {
        Self("'\(name)' \(why): write its type, as in 'var \(name): String = …'")
    }

    static func otherActor(_ name: String, _ actor: String, _ schemaActor: String) -> Self {
        Self(
            "'\(name)' cannot be isolated to '\(actor)' in a schema isolated to '\(schemaActor)': remove '@\(actor)'"
        )
    }

    static func groupType(_ name: String) -> Self {
        Self("'\(name)' needs the type of a '@PrefsGroup' class, as in '@PrefGroup var \(name): HTTPPrefs'")
    }

    /// - Parameter isUnavailable: True if the value calls the unavailable initializer that the macro adds to
    ///   groups for this mistake.
    static func groupValue(_ name: String, isUnavailable: Bool) -> Self {
        Self(
            "the schema creates '\(name)': remove its initial value",
            severity: isUnavailable ? .note : .error)
    }
}
