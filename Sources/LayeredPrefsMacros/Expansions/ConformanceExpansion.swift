import SwiftSyntax
import SwiftSyntaxBuilder

/// The conformances added to a schema or group class.
struct ConformanceExpansion {
    let expansion: SchemaExpansion
    let type: TypeSyntax
    /// The names of the protocols that the class does not conform to yet.
    let missing: Set<String>

    var extensions: [ExtensionDeclSyntax] {
        get throws {
            var result = missing.contains("Observable") ? [try observable] : []
            if missing.contains(expansion.kind.rawValue) { result.append(try main) }
            if missing.contains("Sendable"), expansion.isSendable {
                // `isSendable` is true for a final class whose only stored variables are preferences and the
                // storage. This expansion replaces these variables by cells and a binding, and each of them is
                // atomic or protected by a mutex. The code of `sendableCheck` checks the constants. Any other
                // stored `var` prevents the conformance, and a note reports it.
                result.append(try ExtensionDeclSyntax("extension \(type): @unchecked Sendable {}"))
            }
            return result
        }
    }

    private var main: ExtensionDeclSyntax {
        get throws {
            // A group's conformance is never isolated, because the schema that holds it uses it anywhere.
            let isolation = expansion.schema.globalActor.map { actor in
                expansion.kind == .group ? "nonisolated " : "@\(actor) "
            }
            // Both are written out. The compiler does not look for a protocol that another protocol implies among
            // the conformances that a macro announces, so `Prefs.keys` would not compile as the first use.
            let protocols = ["PrefsDeclaring", expansion.kind.rawValue]
                .map { "\(isolation ?? "")LayeredPrefs.\($0)" }.joined(separator: ", ")
            return try ExtensionDeclSyntax("extension \(type): \(raw: protocols) {}")
        }
    }

    private var observable: ExtensionDeclSyntax {
        get throws { try ExtensionDeclSyntax("extension \(type): nonisolated Observation.Observable {}") }
    }
}
