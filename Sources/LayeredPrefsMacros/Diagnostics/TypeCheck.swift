import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Checks that a preference's type, default and coding fit together.
struct TypeCheck {
    private let pref: PrefDeclaration
    private let binding: PatternBindingSyntax

    init(_ pref: PrefDeclaration, _ binding: PatternBindingSyntax) {
        self.pref = pref
        self.binding = binding
    }

    func run() throws(PrefMistake) {
        // The node in the source, because diagnostics need its position. A trimmed copy has no position in the
        // source.
        guard let type = binding.typeAnnotation?.type else { return try checkInferred() }
        if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            throw PrefMistake(
                type, .implicitlyUnwrapped(pref.name, "\(unwrapped.wrappedType.trimmed)"),
                fixIts: [.replace(type, with: optional(unwrapped.wrappedType, like: type), "use '?'")])
        }
        try checkDefault(of: type)
        if pref.flavor == .pref { try checkCoding(of: pref.wrappedType ?? type) }
    }

    private func checkInferred() throws(PrefMistake) {
        guard let value = pref.defaultValue, !value.is(NilLiteralExprSyntax.self),
            value.as(MemberAccessExprSyntax.self).map({ $0.base != nil }) ?? true
        else { throw PrefMistake(binding.pattern, .noType(pref.name)) }
        guard pref.flavor != .raw, pref.flavor.coding == nil else {
            throw PrefMistake(binding.pattern, .needsExplicitType(pref.name, "is stored by its type"))
        }
    }

    private func checkDefault(of type: TypeSyntax) throws(PrefMistake) {
        guard let initializer = binding.initializer else {
            guard pref.wrappedType == nil else { return }
            throw PrefMistake(
                type, .noDefault(pref.name, type.trimmedDescription),
                fixIts: [.replace(type, with: optional(type, like: type), "make it optional")])
        }
        guard let wrapped = pref.wrappedType, !initializer.value.is(NilLiteralExprSyntax.self) else { return }
        throw PrefMistake(
            initializer, .optionalDefault(pref.name),
            fixIts: [
                .remove(initializer, from: binding),
                .replace(binding.typeAnnotation?.type ?? type, with: wrapped, "make it '\(wrapped)'"),
            ])
    }

    private func optional(_ wrapped: TypeSyntax, like type: TypeSyntax) -> TypeSyntax {
        ("\(wrapped.trimmed)?" as TypeSyntax).withTrivia(of: type)
    }

    private func checkCoding(of type: TypeSyntax) throws(PrefMistake) {
        let hasCoding = ["coding", "encode", "decode"].contains { pref.attribute.argument($0) != nil }
        guard !hasCoding else { return }
        let text = type.trimmedDescription
        guard ["Any", "[Any]", "[String: Any]"].contains(text) else { return }
        let stored = text.replacing("Any", with: "PrefsValue")
        // The annotation, because the type in an optional has no position in the source.
        guard let annotation = binding.typeAnnotation?.type else { return }
        let replacement = annotation.trimmedDescription.replacing("Any", with: "PrefsValue")
        throw PrefMistake(
            annotation, .needsStoredForm(text, stored),
            fixIts: [
                .replace(
                    annotation, with: ("\(raw: replacement)" as TypeSyntax).withTrivia(of: annotation),
                    "make it '\(replacement)'")
            ])
    }
}
