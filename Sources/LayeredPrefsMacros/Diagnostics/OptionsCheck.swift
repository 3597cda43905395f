import SwiftSyntax

/// Checks the options of a preference's attribute as far as they can be read from the source.
struct OptionsCheck {
    private let pref: PrefDeclaration
    private var attribute: AttributeSyntax { pref.attribute }

    init(_ pref: PrefDeclaration) { self.pref = pref }

    func run() throws(PrefMistake) {
        try checkCoding()
        try checkEnvironmentName()
        try checkFormerNames()
        try checkRange()
        try checkMerge()
        try checkCondition()
        try checkReleaseValue()
    }

    private func checkReleaseValue() throws(PrefMistake) {
        if let value = attribute.argument("releaseValue"), attribute.argument("debugOnly") == nil {
            throw PrefMistake(value, .releaseValueOfAll)
        }
    }

    /// Rejects a coding with only one closure. The compiler reports it, too, as with ``checkCondition()``.
    private func checkCoding() throws(PrefMistake) {
        for (label, other) in [("encode", "decode"), ("decode", "encode")] {
            guard let closure = attribute.argument(label), attribute.argument(other) == nil else { continue }
            throw PrefMistake(closure, .halfCoding(other))
        }
    }

    /// Rejects a closure without a parameter type.
    ///
    /// The compiler checks an attribute's arguments before it knows the declaration that they belong to, and
    /// reports such a closure itself. This check only keeps the preference out of the class's expansion.
    private func checkCondition() throws(PrefMistake) {
        guard let closure = attribute.argument("validate")?.as(ClosureExprSyntax.self) else { return }
        if case .parameterClause(let clause)? = closure.signature?.parameterClause,
            clause.parameters.allSatisfy({ $0.type != nil })
        {
            return
        }
        throw PrefMistake(closure, .untypedCondition(pref.wrappedType ?? pref.type))
    }

    private func checkEnvironmentName() throws(PrefMistake) {
        guard let argument = attribute.argument("env"), let name = argument.literalString else { return }
        let isName =
            !name.isEmpty && name.first?.isNumber == false
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if !isName { throw PrefMistake(argument, .badEnvironmentName(name)) }
    }

    private func checkFormerNames() throws(PrefMistake) {
        for name in pref.formerNames.compactMap(\.literalString) where name == pref.literalKeyName {
            throw PrefMistake(attribute, .formerlyItself(name))
        }
    }

    private func checkRange() throws(PrefMistake) {
        guard let range = attribute.argument("in") else { return }
        let type = (pref.wrappedType ?? pref.type)?.trimmedDescription ?? inferredType
        if type == "Bool" || type == "Data" || type.hasPrefix("[") {
            throw PrefMistake(range, .unordered(type))
        }
        guard let bounds = LiteralRange(range) else { return }
        if ["String", "Date", "Duration", "Swift.Duration", "PrefsByteCount"].contains(type) {
            throw PrefMistake(range, .integerBounds(range.trimmedDescription, type))
        }
        guard let value = pref.defaultValue?.literalInteger else { return }
        if !bounds.contains(value) {
            throw PrefMistake(range, .defaultOutside(value, range.trimmedDescription))
        }
    }

    /// The type that the default names, as `Duration.seconds(5)` does; another text if it names none.
    private var inferredType: String {
        String(pref.defaultValue?.trimmedDescription.prefix { $0.isLetter || $0.isNumber } ?? "")
    }

    private func checkMerge() throws(PrefMistake) {
        guard let merge = attribute.argument("merge"),
            merge.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "deep",
            let type = pref.wrappedType ?? pref.type, Self.isNoDictionary(type)
        else { return }
        throw PrefMistake(merge, .notMergeable(type.trimmedDescription))
    }

    /// True if a type is certainly not a dictionary; a type alias may stand for one.
    private static func isNoDictionary(_ type: TypeSyntax) -> Bool {
        type.is(ArrayTypeSyntax.self)
            || ["String", "Int", "Bool", "Double", "Float", "Data", "Date"].contains(type.trimmedDescription)
    }
}

/// A range between integer literals.
private struct LiteralRange {
    private var lower: Int?
    private var upper: Int?
    private var excludesUpper: Bool

    /// Reads `1...2`, `1..<2`, `1...`, `...2` and `..<2`. In the macro's input, operators are not folded yet.
    init?(_ expression: ExprSyntax) {
        if let prefix = expression.as(PrefixOperatorExprSyntax.self) {
            self.init(nil, prefix.operator.text, prefix.expression)
        } else if let postfix = expression.as(PostfixOperatorExprSyntax.self) {
            self.init(postfix.expression, postfix.operator.text, nil)
        } else if let infix = expression.as(InfixOperatorExprSyntax.self) {
            self.init(infix.leftOperand, infix.operator.trimmedDescription, infix.rightOperand)
        } else if let sequence = expression.as(SequenceExprSyntax.self)?.elements, sequence.count == 3 {
            let parts = Array(sequence)
            self.init(parts[0], parts[1].trimmedDescription, parts[2])
        } else {
            return nil
        }
    }

    private init?(_ lower: ExprSyntax?, _ dots: String, _ upper: ExprSyntax?) {
        guard dots == "..." || dots == "..<" else { return nil }
        self.lower = lower?.literalInteger
        self.upper = upper?.literalInteger
        guard (lower == nil) == (self.lower == nil), (upper == nil) == (self.upper == nil) else { return nil }
        excludesUpper = dots == "..<"
    }

    func contains(_ value: Int) -> Bool {
        if let lower, value < lower { return false }
        guard let upper else { return true }
        return excludesUpper ? value < upper : value <= upper
    }
}
