import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Expands `@Pref` and its relatives: accessors, the typed key, and the cell that keeps the decoded value.
struct PrefMacro: AccessorMacro, PeerMacro {
    static func expansion(
        of attribute: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
        return Self.reporting(in: context, attribute, variable) { schema throws(PrefMistake) in
            try PrefExpansion(PrefDeclaration(variable, attribute), schema).accessors
        }
    }

    static func expansion(
        of attribute: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            case .schema(let schema) = SchemaClass.surroundings(in: context),
            let pref = try? PrefDeclaration(variable, attribute),
            let expansion = try? PrefExpansion(pref, schema)
        else { return [] }
        return expansion.peers
    }
}

/// Expands `@PrefGroup`: an accessor, and the cell that holds the group.
struct PrefGroupMacro: AccessorMacro, PeerMacro {
    static func expansion(
        of attribute: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
        return PrefMacro.reporting(in: context, attribute, variable) { _ throws(PrefMistake) in
            try GroupExpansion(GroupDeclaration(variable, attribute)).accessors
        }
    }

    static func expansion(
        of attribute: AttributeSyntax,
        providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self),
            case .schema = SchemaClass.surroundings(in: context),
            let group = try? GroupDeclaration(variable, attribute)
        else { return [] }
        return GroupExpansion(group).peers
    }
}

extension PrefMacro {
    /// Expands a variable inside a schema; reports what is wrong, if anything, once.
    static func reporting(
        in context: some MacroExpansionContext,
        _ attribute: AttributeSyntax,
        _ variable: VariableDeclSyntax,
        _ accessors: (SchemaClass) throws(PrefMistake) -> [AccessorDeclSyntax]
    ) -> [AccessorDeclSyntax] {
        switch SchemaClass.surroundings(in: context) {
        case .schema(let schema):
            do {
                return try accessors(schema)
            } catch {
                if attribute.isFirstOfKind(on: variable) { error.report(in: context) }
            }
        case .somethingElse:
            PrefMistake(attribute, .notInSchema(attribute.name)).report(in: context)
        case .reportedElsewhere: break
        }
        return placeholders(for: variable, attribute)
    }

    /// Accessors that do nothing, so that no second error follows from the one reported.
    private static func placeholders(
        for variable: VariableDeclSyntax, _ attribute: AttributeSyntax
    ) -> [AccessorDeclSyntax] {
        if variable.isComputed { return [] }
        // An accessor that the other attribute's placeholders do not have.
        guard attribute.isFirstOfKind(on: variable) else { return ["_read { Swift.fatalError() }"] }
        // Of each accessor the compiler says that a constant can have none.
        if variable.bindingSpecifier.tokenKind == .keyword(.let) { return ["get { Swift.fatalError() }"] }
        return ["get { Swift.fatalError() }", "set {}"]
    }
}
