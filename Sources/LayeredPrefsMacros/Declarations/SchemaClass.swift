import SwiftSyntax
import SwiftSyntaxMacros

/// The class around a preference, as far as the preference's expansion depends on it.
struct SchemaClass {
    let declaration: ClassDeclSyntax
    /// Whether static stored properties are impossible, because the class or something around it is generic.
    let isGeneric: Bool

    init(_ declaration: ClassDeclSyntax, in lexicalContext: [Syntax]) {
        self.declaration = declaration
        isGeneric =
            declaration.genericParameterClause != nil || lexicalContext.contains(where: Self.isGeneric)
    }

    private static func isGeneric(_ scope: Syntax) -> Bool {
        scope.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }

    var name: TokenSyntax { declaration.name.trimmed }

    var globalActor: String? { declaration.attributes.globalActor }

    var isFinal: Bool { declaration.modifiers.contains(.final) }

    /// What members have to be declared that are used wherever the class is.
    var access: String {
        let modifiers = declaration.modifiers
        if modifiers.contains(.public) || modifiers.contains(.open) { return "public " }
        return modifiers.contains(.package) ? "package " : ""
    }

    /// What stands before a static member of the expansion: usable from anywhere, whatever isolates the class.
    var staticModifiers: String { globalActor == nil ? "static" : "nonisolated static" }
}

extension SchemaClass {
    /// What a variable stands in, judged by what its macro sees.
    enum Surroundings {
        case schema(SchemaClass)
        /// A type that is no class but has a schema's attribute, whose own macro reports that.
        case reportedElsewhere
        case somethingElse
    }

    static func surroundings(in context: some MacroExpansionContext) -> Surroundings {
        guard let scope = context.lexicalContext.first,
            let attributes = scope.asProtocol((any WithAttributesSyntax).self)?.attributes,
            ["PrefsSchema", "PrefsGroup"].contains(where: { attributes.first(named: $0) != nil })
        else { return .somethingElse }
        guard let declaration = scope.as(ClassDeclSyntax.self) else { return .reportedElsewhere }
        return .schema(SchemaClass(declaration, in: context.lexicalContext))
    }
}
