import SwiftSyntax

/// A variable declared as a group of preferences.
struct GroupDeclaration {
    static let attributeName = "PrefGroup"

    let name: String
    let type: TypeSyntax
    let attribute: AttributeSyntax
    /// The access modifier of a property of the same name in another type.
    let access: String

    /// - Throws: The first mistake, which is the only one to report.
    init(_ variable: VariableDeclSyntax, _ attribute: AttributeSyntax) throws(PrefMistake) {
        let binding = try VariableCheck(variable, attribute).onlyBinding()
        guard let type = binding.type, type.wrappedInOptional == nil else {
            throw PrefMistake(binding.node, .groupType(binding.name))
        }
        if let value = binding.node.initializer {
            let isUnavailable = value.value.as(FunctionCallExprSyntax.self)?.arguments.isEmpty ?? false
            throw PrefMistake(
                value, .groupValue(binding.name, isUnavailable: isUnavailable),
                fixIts: [.remove(value, from: binding.node)])
        }
        name = binding.name
        self.type = type
        self.attribute = attribute
        access = variable.modifiers.accessOfPeers
    }

    var holder: String { "_$group_\(name)" }

    var keyName: String { attribute.keyName(default: name) }
}
