import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension FixIt {
    static func replace(
        _ old: some SyntaxProtocol, with new: some SyntaxProtocol, _ text: String
    ) -> FixIt {
        replace(message: MacroExpansionFixItMessage(text), oldNode: old, newNode: new)
    }

    /// Returns a fix that replaces a token, keeping its trivia.
    static func replace(_ token: TokenSyntax, with text: String) -> FixIt {
        replace(
            token, with: token.with(\.tokenKind, .identifier(text)), "replace '\(token.text)' with '\(text)'")
    }

    static func remove(_ modifier: DeclModifierSyntax, from variable: VariableDeclSyntax) -> FixIt {
        let rest = variable.modifiers.filter { $0.id != modifier.id }
        return replace(
            variable, with: variable.with(\.modifiers, rest), "remove '\(modifier.name.text)'")
    }

    static func remove(_ attribute: AttributeSyntax, from variable: VariableDeclSyntax) -> FixIt {
        let rest = variable.attributes.filter { $0.id != attribute.id }
        return replace(variable, with: variable.with(\.attributes, rest), "remove '@\(attribute.name)'")
    }

    static func remove(_ value: InitializerClauseSyntax, from binding: PatternBindingSyntax) -> FixIt {
        replace(
            binding, with: binding.with(\.initializer, nil).with(\.trailingTrivia, []),
            "remove '\(value.trimmedDescription)'")
    }
}

extension SyntaxProtocol {
    /// Returns the node with the trivia of another.
    func withTrivia(of other: some SyntaxProtocol) -> Self {
        with(\.leadingTrivia, other.leadingTrivia).with(\.trailingTrivia, other.trailingTrivia)
    }
}
