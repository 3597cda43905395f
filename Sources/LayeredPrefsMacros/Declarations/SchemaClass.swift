import SwiftSyntax
import SwiftSyntaxMacros

/// The class that contains a preference, as far as the preference's expansion depends on it.
struct SchemaClass {
    let declaration: ClassDeclSyntax
    /// True if static stored properties are impossible, because the class or an enclosing scope is generic.
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

    var declaresInitializer: Bool {
        declaration.memberBlock.members.contains { $0.decl.is(InitializerDeclSyntax.self) }
    }

    var isFinal: Bool { declaration.modifiers.contains(.final) }

    /// The access modifier of members that are used wherever the class is.
    var access: String {
        let modifiers = declaration.modifiers
        if modifiers.contains(.public) || modifiers.contains(.open) { return "public " }
        return modifiers.contains(.package) ? "package " : ""
    }

    /// The modifiers of a static member of the expansion, which may be used from anywhere, regardless of the
    /// class's isolation.
    var staticModifiers: String { globalActor == nil ? "static" : "nonisolated static" }
}

extension SchemaClass {
    /// The scope that contains a variable, as far as its macro can see it.
    enum Surroundings {
        case schema(SchemaClass)
        /// A type with a schema's attribute that is not a class, which the attribute's macro reports.
        case reportedElsewhere
        /// A class that is `@Observable` as well, which the attribute's macro reports. `@Observable` makes
        /// its variables computed, so any accessor would be a second error.
        case observable
        case somethingElse
    }

    static func surroundings(in context: some MacroExpansionContext) -> Surroundings {
        guard let scope = context.lexicalContext.first,
            let attributes = scope.asProtocol((any WithAttributesSyntax).self)?.attributes,
            ["PrefsSchema", "PrefsGroup"].contains(where: { attributes.first(named: $0) != nil })
        else { return .somethingElse }
        guard let declaration = scope.as(ClassDeclSyntax.self) else { return .reportedElsewhere }
        if declaration.isObservableTwice { return .observable }
        return .schema(SchemaClass(declaration, in: context.lexicalContext))
    }
}

extension ClassDeclSyntax {
    /// True if a schema class is also declared `@Observable`.
    var isObservableTwice: Bool { attributes.first(named: "Observable") != nil }
}
