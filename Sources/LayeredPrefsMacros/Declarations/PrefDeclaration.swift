import SwiftSyntax

/// A variable declared as a preference, read from its attribute and its declaration.
struct PrefDeclaration {
    /// The variable's name without backticks.
    let name: String
    let flavor: PrefFlavor
    /// The type as written; `nil` if it is inferred.
    let type: TypeSyntax?
    /// The wrapped type if the type is optional.
    let wrappedType: TypeSyntax?
    /// The default as written; never `nil` if the type is not optional.
    let defaultValue: ExprSyntax?
    let attribute: AttributeSyntax
    /// The global actor that the variable itself is isolated to.
    let globalActor: String?
    /// The access modifier of a property of the same name in another type.
    let access: String
    let documentation: String?

    /// Reads a declaration and checks it.
    ///
    /// - Throws: The first mistake, which is the only one to report.
    init(_ variable: VariableDeclSyntax, _ attribute: AttributeSyntax) throws(PrefMistake) {
        let binding = try VariableCheck(variable, attribute).onlyBinding()
        guard let flavor = PrefFlavor(rawValue: attribute.name) else {
            throw PrefMistake(attribute, .notOneVariable(attribute.name))
        }
        self.flavor = flavor
        name = binding.name
        type = binding.type
        wrappedType = type?.wrappedInOptional
        defaultValue = binding.value
        self.attribute = attribute
        globalActor = variable.attributes.globalActor
        access = variable.modifiers.accessOfPeers
        documentation = variable.leadingTrivia.documentation
        try TypeCheck(self, binding.node).run()
        try OptionsCheck(self).run()
    }
}

extension PrefDeclaration {
    /// The name as an identifier in code.
    var identifier: String { "`\(name)`" }
    var property: String { "_$pref_\(name)" }
    var cache: String { "_$cache_\(name)" }
    var path: String { "_$path_\(name)" }
    var standIn: String { "_$stand_\(name)" }

    /// The code of the default, or a placeholder for a declaration without a default, which is an error.
    var defaultCode: String { defaultValue?.description ?? "()" }

    /// The code of the key's name.
    var keyName: String { attribute.keyName(default: name) }

    /// The name of the stored value, if it can be read from the source.
    var literalKeyName: String? { attribute.key.map(\.literalString) ?? name }

    /// The environment variable as declared, or else as derived from the key, without the program's prefix.
    var environmentName: String? {
        if let declared = attribute.argument("env") { return declared.literalString }
        return literalKeyName.map { EnvironmentName.name(forKey: $0) }
    }

    var formerNames: [ExprSyntax] { attribute.arguments(from: "formerly") }
}

extension AttributeSyntax {
    /// The argument `key:`, unless it is `nil`.
    fileprivate var key: ExprSyntax? {
        argument("key").flatMap { $0.is(NilLiteralExprSyntax.self) ? nil : $0 }
    }

    /// Returns the code of the argument `key:`, or of the variable's name.
    func keyName(default name: String) -> String { key?.trimmedDescription ?? name.debugDescription }
}
