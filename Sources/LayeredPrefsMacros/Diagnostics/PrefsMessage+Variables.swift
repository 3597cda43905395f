import SwiftDiagnostics

/// Where the compiler reports an error in any case, the message is a note to it that names the fix.
extension PrefsMessage {
    static func notInSchema(_ macro: String) -> Self {
        Self(
            "notInSchema", "@\(macro) belongs in a class with '@PrefsSchema': add that attribute to the class"
        )
    }

    static func constant(_ macro: String) -> Self {
        Self(
            "constant", "@\(macro) needs a variable, since its value changes: replace 'let' with 'var'",
            severity: .note)
    }

    static func modifier(_ modifier: String, _ macro: String) -> Self {
        Self(
            "modifier", "@\(macro) is stored per schema instance: remove '\(modifier)'",
            severity: modifier == "lazy" ? .note : .error)
    }

    static func notOneVariable(_ macro: String) -> Self {
        Self("notOneVariable", "@\(macro) applies to one variable: declare each in a line of its own")
    }

    static func accessors(_ macro: String) -> Self {
        Self("accessors", "@\(macro) makes the accessors itself: remove those written here")
    }

    static func twoAttributes(_ first: String, _ second: String) -> Self {
        Self("twoAttributes", "a preference has one kind: remove '@\(first)' or '@\(second)'")
    }

    static func noType(_ name: String) -> Self {
        Self(
            "noType",
            "'\(name)' needs a type, such as 'var \(name): String?', or a default of which it is clear",
            severity: .note)
    }

    static func noDefault(_ name: String, _ type: String) -> Self {
        Self("noDefault", "'\(name)' needs a default: write '= …' after it, or make its type '\(type)?'")
    }

    static func optionalDefault(_ name: String) -> Self {
        Self(
            "optionalDefault",
            "'\(name)' is optional, so its default is nil: remove the default, or the '?' from its type")
    }

    static func implicitlyUnwrapped(_ name: String, _ type: String) -> Self {
        Self("implicitlyUnwrapped", "'\(name)' can be absent: make its type '\(type)?'")
    }

    static func needsCoding(_ type: String, _ coding: String) -> Self {
        Self(
            "needsCoding", "'\(type)' can be stored in several ways: choose one, such as 'coding: \(coding)'")
    }

    static func needsRaw(_ type: String) -> Self {
        Self("needsRaw", "'\(type)' holds values of any type: replace '@Pref' with '@RawPref'")
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

    /// - Parameter isUnavailable: Whether the value is of an initialiser that groups have only to say this.
    static func groupValue(_ name: String, isUnavailable: Bool) -> Self {
        Self(
            "groupValue", "the schema creates '\(name)' itself: remove its initial value",
            severity: isUnavailable ? .note : .error)
    }
}
