import SwiftSyntax

extension AttributeListSyntax {
    /// The attributes that are not inside `#if`.
    var plain: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    func first(named name: String) -> AttributeSyntax? { plain.first { $0.name == name } }

    /// The global actor among the attributes, recognized by the convention that its name ends in `Actor`.
    var globalActor: String? {
        plain.first { $0.arguments == nil && $0.name.hasSuffix("Actor") }?.attributeName.trimmedDescription
    }
}

extension AttributeSyntax {
    /// The attribute's name without a module name.
    var name: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        return attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    private var list: LabeledExprListSyntax? { arguments?.as(LabeledExprListSyntax.self) }

    /// Returns the argument with a label.
    func argument(_ label: String) -> ExprSyntax? { list?.first { $0.label?.text == label }?.expression }

    /// Returns the argument with a label and the unlabeled ones that follow it.
    func arguments(from label: String) -> [ExprSyntax] {
        guard let list, let start = list.firstIndex(where: { $0.label?.text == label }) else { return [] }
        let rest = list[list.index(after: start)...].prefix { $0.label == nil }
        return [list[start].expression.trimmed] + rest.map(\.expression.trimmed)
    }
}

extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }
}
