import SwiftParser
import SwiftSyntax

extension TypeSyntax {
    /// The wrapped type of an optional, in any spelling: `T?`, `Optional<T>`, `Swift.Optional<T>`.
    var wrappedInOptional: TypeSyntax? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.trimmed }
        let clause: GenericArgumentClauseSyntax?
        if let named = self.as(IdentifierTypeSyntax.self), named.name.text == "Optional" {
            clause = named.genericArgumentClause
        } else if let member = self.as(MemberTypeSyntax.self), member.name.text == "Optional",
            member.baseType.trimmedDescription == "Swift"
        {
            clause = member.genericArgumentClause
        } else {
            return nil
        }
        guard case .type(let wrapped)? = clause?.arguments.first?.argument else { return nil }
        return wrapped.trimmed
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolation.
    var literalString: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }

    /// The value of an integer literal, including a sign.
    var literalInteger: Int? {
        if let literal = self.as(IntegerLiteralExprSyntax.self) { return literal.representedLiteralValue }
        guard let signed = self.as(PrefixOperatorExprSyntax.self), signed.operator.text == "-" else {
            return nil
        }
        return signed.expression.literalInteger.map { -$0 }
    }
}

extension Trivia {
    /// The documentation comment at the end of the trivia, without comment markers.
    var documentation: String? {
        var lines: [String] = []
        for piece in pieces {
            switch piece {
            case .docLineComment(let text): lines.append(Self.withoutIndent(text.dropFirst(3)))
            case .docBlockComment(let text): lines += Self.blockLines(text)
            case .lineComment, .blockComment: lines = []
            case .newlines(let count) where count > 1: lines = []
            default: break
            }
        }
        let text = lines.joined(separator: "\n").trimmingNewlines
        return text.isEmpty ? nil : text
    }

    private static func withoutIndent(_ line: Substring) -> String {
        String(line.first == " " ? line.dropFirst() : line)
    }

    private static func blockLines(_ text: String) -> [String] {
        text.dropFirst(3).dropLast(2).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let content = line.drop { $0 == " " || $0 == "\t" }
            return withoutIndent(content.first == "*" ? content.dropFirst() : content)
        }
    }
}

extension String {
    fileprivate var trimmingNewlines: String {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        while let first = text.first, first.isNewline { text.removeFirst() }
        return String(text)
    }
}

extension DeclModifierListSyntax {
    /// The access modifier, with a space, for a declaration elsewhere in the file, so that it may be used wherever
    /// the declaration with these modifiers may be used.
    var accessOfPeers: String {
        for modifier in self where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            case .keyword(.private), .keyword(.fileprivate): return "fileprivate "
            default: continue
            }
        }
        return ""
    }
}
