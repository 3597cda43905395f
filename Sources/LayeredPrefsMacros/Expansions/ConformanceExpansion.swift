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
            var result = [try observable]
            if missing.contains(expansion.kind.rawValue) { result.append(try main) }
            if missing.contains("Sendable"), expansion.isSendable {
                result.append(try ExtensionDeclSyntax("extension \(type): @unchecked Sendable {}"))
            }
            return result
        }
    }

    private var main: ExtensionDeclSyntax {
        get throws {
            let isolation = expansion.schema.globalActor.map { "@\($0) " } ?? ""
            return try ExtensionDeclSyntax(
                "extension \(type): \(raw: isolation)LayeredPrefs.\(raw: expansion.kind.rawValue) {}")
        }
    }

    /// Observability, with what lets a program tell of changes to properties of its own.
    private var observable: ExtensionDeclSyntax {
        get throws {
            let conformance = missing.contains("Observable") ? ": nonisolated Observation.Observable" : ""
            return try ExtensionDeclSyntax(
                """
                extension \(type)\(raw: conformance) {
                    internal nonisolated func access<Member>(keyPath: KeyPath<\(type), Member>) {
                        _$observationRegistrar.access(self, keyPath: keyPath)
                    }

                    internal nonisolated func withMutation<Member, MutationResult>(
                        keyPath: KeyPath<\(type), Member>,
                        _ mutation: () throws -> MutationResult
                    ) rethrows -> MutationResult {
                        try _$observationRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
                    }
                }
                """)
        }
    }
}
