import SwiftSyntax
import SwiftSyntaxBuilder

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
        documentation = variable.leadingTrivia.documentation
        try TypeCheck(self, binding.node).run()
        try OptionsCheck(self).run()
    }
}

extension PrefDeclaration {
    /// The name as an identifier in code.
    var identifier: TokenSyntax { .identifier("`\(name)`") }
    var property: TokenSyntax { .identifier("_$pref_\(name)") }
    var cache: TokenSyntax { .identifier("_$cache_\(name)") }
    var path: TokenSyntax { .identifier("_$path_\(name)") }
    var standIn: TokenSyntax { .identifier("_$stand_\(name)") }

    /// The expression for the key's name.
    var keyName: ExprSyntax { attribute.keyName(default: name) }

    /// The name under which the value is stored, if it can be read from the source.
    var literalKeyName: String? { keyName.literalString }

    /// The environment variable as declared, or else as derived from the key, without the program's prefix.
    var environmentName: String? {
        if let declared = attribute.argument("env") { return declared.literalString }
        return literalKeyName.map { EnvironmentName.name(forKey: $0) }
    }

    var formerNames: [ExprSyntax] { attribute.arguments(from: "formerly") }
}

extension AttributeSyntax {
    /// Returns the expression of the argument `key:`, or the variable's name.
    func keyName(default name: String) -> ExprSyntax {
        guard let key = argument("key"), !key.is(NilLiteralExprSyntax.self) else { return "\(literal: name)" }
        return key.trimmed
    }
}
