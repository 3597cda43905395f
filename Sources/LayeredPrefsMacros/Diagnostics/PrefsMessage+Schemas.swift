import SwiftDiagnostics

extension PrefsMessage {
    static func notAClass(_ macro: String, _ keyword: String) -> Self {
        Self("@\(macro) applies to classes: replace '\(keyword)' with 'final class'")
    }

    static func observableTwice(_ macro: String) -> Self {
        Self("@\(macro) already makes the class observable: remove '@Observable'")
    }

    static var noStorage: Self {
        Self("a schema needs a storage: add one, such as '@Storage var storage = .dictionary'")
    }

    static var plainStorage: Self {
        Self("a schema must notice when its storage is replaced: mark 'storage' with '@Storage'")
    }

    static func storageName(_ name: String, _ wanted: String) -> Self {
        Self("this property must be named '\(wanted)': rename '\(name)'")
    }

    static var groupStorage: Self {
        Self("a group uses the storage of its schema: remove this property or use '@PrefsSchema'")
    }

    static func sameKey(_ key: String, _ first: String, _ second: String) -> Self {
        Self("'\(first)' and '\(second)' are both stored under '\(key)': give one of them another 'key:'")
    }

    static func sameEnvironmentName(_ name: String, _ first: String, _ second: String) -> Self {
        Self(
            "'\(first)' and '\(second)' would both be set by '\(name)': give one of them another name with 'env:'"
        )
    }

    static func notSendable(_ type: String, _ variable: String) -> Self {
        Self(
            "'\(variable)' prevents '\(type)' from being Sendable: make it a 'let', a preference or computed",
            severity: .note)
    }

    static func notFinal(_ type: String) -> Self {
        Self(
            "'\(type)' is not Sendable, because subclasses may add variables: make it 'final'",
            severity: .note)
    }
}
