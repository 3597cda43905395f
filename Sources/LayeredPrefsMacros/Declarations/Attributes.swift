import SwiftSyntax

extension AttributeListSyntax {
    /// The attributes that are not inside `#if`.
    var plain: [AttributeSyntax] { compactMap { $0.as(AttributeSyntax.self) } }

    func first(named name: String) -> AttributeSyntax? { plain.first { $0.name == name } }

    /// The global actor among the attributes, by the custom that its name ends in `Actor`.
    var globalActor: String? {
        plain.first { $0.arguments == nil && $0.name.hasSuffix("Actor") }?.attributeName.trimmedDescription
    }
}

extension AttributeSyntax {
    /// The attribute's name without the module before it.
    var name: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        return attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? attributeName.trimmedDescription
    }

    private var list: LabeledExprListSyntax? { arguments?.as(LabeledExprListSyntax.self) }

    /// The argument under a label.
    func argument(_ label: String) -> ExprSyntax? { list?.first { $0.label?.text == label }?.expression }

    /// The argument under a label and those without one that follow it.
    func arguments(from label: String) -> [ExprSyntax] {
        guard let list, let start = list.firstIndex(where: { $0.label?.text == label }) else { return [] }
        let rest = list[list.index(after: start)...].prefix { $0.label == nil }
        return [list[start].expression.trimmed] + rest.map(\.expression.trimmed)
    }
}

extension DeclModifierListSyntax {
    func contains(_ keyword: Keyword) -> Bool { contains { $0.name.tokenKind == .keyword(keyword) } }
}
