import SwiftSyntax
import SwiftSyntaxBuilder

/// The conformances that a schema or group class gets.
struct ConformanceExpansion {
    let expansion: SchemaExpansion
    let type: TypeSyntax
    /// The names of the protocols that the class does not conform to already.
    let missing: Set<String>

    var extensions: [ExtensionDeclSyntax] {
        get throws {
            var result = missing.contains("Observable") ? [try observable] : []
            if missing.contains(expansion.kind.rawValue) { result.append(try main) }
            if missing.contains("Sendable"), expansion.isSendable {
                // `isSendable` holds for a final class whose only stored variables are those that this expansion
                // replaces: cells and a binding, each atomic or behind a lock. Its constants are checked by what
                // `sendableCheck` emits; any other stored `var` prevents the conformance, and a note says so.
                result.append(try ExtensionDeclSyntax("extension \(type): @unchecked Sendable {}"))
            }
            return result
        }
    }

    private var main: ExtensionDeclSyntax {
        get throws {
            // A group promises nothing that is isolated: the schema that holds it relies on it anywhere.
            let isolation = expansion.schema.globalActor.map { actor in
                expansion.kind == .group ? "nonisolated " : "@\(actor) "
            }
            return try ExtensionDeclSyntax(
                "extension \(type): \(raw: isolation ?? "")LayeredPrefs.\(raw: expansion.kind.rawValue) {}")
        }
    }

    private var observable: ExtensionDeclSyntax {
        get throws { try ExtensionDeclSyntax("extension \(type): nonisolated Observation.Observable {}") }
    }
}
