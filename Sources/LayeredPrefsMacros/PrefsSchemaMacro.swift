import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Expands `@PrefsSchema` to the members that all preferences of a class share, and to the conformances.
struct PrefsSchemaMacro: SchemaMacro {
    static let kind = SchemaKind.schema
}

/// Expands `@PrefsGroup`, which differs from `@PrefsSchema` in the origin of the storage.
struct PrefsGroupMacro: SchemaMacro {
    static let kind = SchemaKind.group
}

/// The common implementation of both class macros.
protocol SchemaMacro: MemberMacro, ExtensionMacro {
    static var kind: SchemaKind { get }
}

extension SchemaMacro {
    static var formatMode: FormatMode { .disabled }

    static func expansion(
        of node: AttributeSyntax,
        providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            PrefMistake(node, .notAClass(node.name, declaration.introducer.text)).report(in: context)
            return standIns
        }
        let schema = SchemaClass(declaration, in: context.lexicalContext)
        let members = SchemaMembers(of: schema)
        let check = SchemaCheck(attribute: node, schema: schema, members: members, kind: kind)
        for mistake in check.mistakes { mistake.report(in: context) }
        if schema.declaration.isObservableTwice { return [] }
        reportWhySharingIsImpossible(schema, members, in: context)
        let expansion = SchemaExpansion(kind: kind, schema: schema, members: members)
        let hasStrayStorage = kind == .group && (members.storage ?? members.storageMode) != nil
        return expansion.declarations + (check.lacksStorage ? [missingStorage] : [])
            + (hasStrayStorage ? standIns : [])
    }

    static func expansion(
        of node: AttributeSyntax,
        attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol,
        conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let declaration = declaration.as(ClassDeclSyntax.self) else {
            // The conformance that the attribute announces replaces an actor's implicit one, so it has to be
            // emitted.
            guard declaration.is(ActorDeclSyntax.self) else { return [] }
            return [try ExtensionDeclSyntax("extension \(type.trimmed): Sendable {}")]
        }
        if declaration.isObservableTwice { return [] }
        let schema = SchemaClass(declaration, in: context.lexicalContext)
        let expansion = SchemaExpansion(kind: kind, schema: schema, members: SchemaMembers(of: schema))
        let missing = protocols.map {
            $0.trimmedDescription.split(separator: ".").last.map(String.init) ?? ""
        }
        return try ConformanceExpansion(
            expansion: expansion, type: TypeSyntax(type.trimmed), missing: Set(missing)
        ).extensions
    }

    /// Reports why the class is not `Sendable`, as a note rather than an error: a schema used by a single
    /// thread may have variables of its own.
    private static func reportWhySharingIsImpossible(
        _ schema: SchemaClass, _ members: SchemaMembers, in context: some MacroExpansionContext
    ) {
        guard schema.globalActor == nil else { return }
        let name = schema.name.text
        if !schema.isFinal { PrefMistake(schema.declaration.name, .notFinal(name)).report(in: context) }
        for variable in members.otherVariables where !variable.variableNames.contains("storage") {
            let message = PrefsMessage.notSendable(name, variable.variableNames.first ?? "")
            PrefMistake(variable, message).report(in: context)
        }
    }

    /// Declarations that keep `@Storage` in a struct or a group from being a second error.
    private static var standIns: [DeclSyntax] {
        [
            """
            typealias Storage<Value: LayeredPrefs.PrefsStorage> = LayeredPrefs.PrefsStorageWrapper<
                Value, LayeredPrefs.PrefsExpansion.NoPropertyKeys
            >
            """
        ]
    }

    /// A declaration that keeps the conformance from being a second error if there is no storage.
    private static var missingStorage: DeclSyntax {
        "var storage: LayeredPrefs.DictionaryPrefsStorage { Swift.fatalError() }"
    }
}
