import SwiftSyntax
import SwiftSyntaxMacros

/// Checks the form of a variable that a macro expands.
struct VariableCheck {
    /// The parts of a variable of the right form.
    struct Binding {
        var node: PatternBindingSyntax
        /// The name without backticks.
        var name: String
        var type: TypeSyntax?
        var value: ExprSyntax?
    }

    private let variable: VariableDeclSyntax
    private let attribute: AttributeSyntax
    private var macro: String { attribute.name }

    init(_ variable: VariableDeclSyntax, _ attribute: AttributeSyntax) {
        self.variable = variable
        self.attribute = attribute
    }

    func onlyBinding() throws(PrefMistake) -> Binding {
        try checkAttributes()
        try checkKeywords()
        guard variable.bindings.count == 1, let node = variable.bindings.first,
            let pattern = node.pattern.as(IdentifierPatternSyntax.self)
        else { throw PrefMistake(variable.bindings, .notOneVariable(macro)) }
        if let accessors = node.accessorBlock { throw PrefMistake(accessors, .accessors(macro)) }
        let name = pattern.identifier.identifier?.name ?? pattern.identifier.text
        if let key = attribute.argument("key") { try checkKey(key) }
        return Binding(
            node: node, name: name, type: node.typeAnnotation?.type.trimmed,
            value: node.initializer?.value.trimmed)
    }

    /// Rejects a second attribute, whose own macro reports it; see ``PrefMacro/reporting(in:_:_:_:)``.
    private func checkAttributes() throws(PrefMistake) {
        let kinds = variable.attributes.kinds
        guard kinds.count > 1 else { return }
        throw PrefMistake(kinds[1], .twoAttributes(kinds[0].name, kinds[1].name))
    }

    private func checkKeywords() throws(PrefMistake) {
        let specifier = variable.bindingSpecifier
        if specifier.tokenKind == .keyword(.let) {
            throw PrefMistake(specifier, .constant(macro), fixIts: [.replace(specifier, with: "var")])
        }
        let wrong: [Keyword] = [.static, .class, .lazy, .weak, .unowned, .nonisolated]
        for modifier in variable.modifiers
        where wrong.contains(where: { modifier.name.tokenKind == .keyword($0) }) {
            throw PrefMistake(
                modifier, .modifier(modifier.name.text, macro), fixIts: [.remove(modifier, from: variable)])
        }
    }

    private func checkKey(_ key: ExprSyntax) throws(PrefMistake) {
        guard let text = key.literalString else { return }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.contains(where: \.isEmpty) { throw PrefMistake(key, .badKey(text)) }
    }
}

extension AttributeListSyntax {
    /// The attributes that make a variable a preference or a group.
    var kinds: [AttributeSyntax] {
        plain.filter { PrefFlavor(rawValue: $0.name) != nil || $0.name == GroupDeclaration.attributeName }
    }
}

extension AttributeSyntax {
    /// Returns the mistake that the variable already is a preference or a group because of an earlier attribute;
    /// `nil` if this attribute is the first.
    ///
    /// The macro receives the attribute apart from the variable, so we compare the attributes by their places.
    func surplus(on variable: VariableDeclSyntax, in context: some MacroExpansionContext) -> PrefMistake? {
        let kinds = variable.attributes.kinds
        guard kinds.count > 1 else { return nil }
        let place = place(in: context)
        let index = kinds.firstIndex { place == nil ? $0.name == name : $0.place(in: context) == place }
        guard let first = kinds.first, let index, index > 0 else { return nil }
        return PrefMistake(
            self, .twoAttributes(first.name, name), fixIts: [.remove(kinds[index], from: variable)])
    }

    private func place(in context: some MacroExpansionContext) -> String? {
        context.location(of: self).map { "\($0.line):\($0.column)" }
    }
}
