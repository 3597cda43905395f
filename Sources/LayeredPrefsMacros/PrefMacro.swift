import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Expands `@Pref` and its variants to accessors, the typed key, and the cell that caches the decoded value.
struct PrefMacro: AccessorMacro, PeerMacro {
    static let formatMode = FormatMode.disabled

    static func expansion(
        of attribute: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
        return try Self.reporting(in: context, attribute, variable) { schema throws(PrefMistake) in
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

/// Expands `@PrefGroup` to an accessor and the cell that holds the group.
struct PrefGroupMacro: AccessorMacro, PeerMacro {
    static let formatMode = FormatMode.disabled

    static func expansion(
        of attribute: AttributeSyntax,
        providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let variable = declaration.as(VariableDeclSyntax.self) else { return [] }
        return try PrefMacro.reporting(in: context, attribute, variable) { _ throws(PrefMistake) in
            try [GroupDeclaration(variable, attribute).accessor]
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
        return [group.peer]
    }
}

extension PrefMacro {
    /// Expands a variable inside a schema. Reports a mistake, if there is one, exactly once.
    ///
    /// - Throws: The mistake that the attribute is not the only one. All attributes after the first throw it: the
    ///   compiler demands no accessor of a macro that throws, and each accessor may be there only once.
    static func reporting(
        in context: some MacroExpansionContext,
        _ attribute: AttributeSyntax,
        _ variable: VariableDeclSyntax,
        _ accessors: (SchemaClass) throws(PrefMistake) -> [AccessorDeclSyntax]
    ) throws(DiagnosticsError) -> [AccessorDeclSyntax] {
        switch SchemaClass.surroundings(in: context) {
        case .schema(let schema):
            if let mistake = attribute.surplus(on: variable, in: context) {
                throw DiagnosticsError(diagnostics: [mistake.diagnostic])
            }
            do {
                return try accessors(schema)
            } catch {
                if variable.attributes.kinds.count < 2 { error.report(in: context) }
            }
        case .somethingElse:
            // The stored variable that `@Observable` adds to a schema class has the preference's attributes.
            if variable.attributes.first(named: "ObservationIgnored") != nil { return [] }
            PrefMistake(attribute, .notInSchema(attribute.name)).report(in: context)
        case .reportedElsewhere: break
        case .observable: return []
        }
        return placeholders(for: variable, isFirst: attribute.surplus(on: variable, in: context) == nil)
    }

    /// Returns accessors without effect, so that the reported error does not cause a second one. They are never
    /// called, because code with an error does not compile.
    private static func placeholders(
        for variable: VariableDeclSyntax, isFirst: Bool
    ) -> [AccessorDeclSyntax] {
        if variable.isComputed { return [] }
        // An accessor that is not among the other attribute's placeholders.
        guard isFirst else { return ["_read { Swift.fatalError() }"] }
        // The compiler reports each accessor of a constant, so emit only one.
        if variable.bindingSpecifier.tokenKind == .keyword(.let) { return ["get { Swift.fatalError() }"] }
        return ["get { Swift.fatalError() }", "set {}"]
    }
}
