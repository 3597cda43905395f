import SwiftSyntax
import SwiftSyntaxMacros

// The compiler parses the text of an expansion. Parsing and formatting it in the macro first would take most of
// the time for checking a schema. So a node of an expansion is one token with all of its text.

extension DeclSyntax {
    /// A declaration with a text that is not parsed.
    init(verbatim text: String) {
        self.init(MissingDeclSyntax(placeholder: .identifier(text)))
    }
}

extension AccessorDeclSyntax {
    /// An accessor with a text that is not parsed.
    init(verbatim text: String) {
        self.init(accessorSpecifier: .identifier(text))
    }
}
