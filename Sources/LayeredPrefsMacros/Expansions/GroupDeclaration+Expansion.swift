import SwiftSyntax

/// The code that a group within a schema expands to.
extension GroupDeclaration {
    var accessor: AccessorDeclSyntax {
        AccessorDeclSyntax(
            verbatim: """
                get {
                    \(holder).value(in: _$prefs, bind: _$bind, make: \(type).init)
                }
                """)
    }

    var peer: DeclSyntax {
        DeclSyntax(
            verbatim: """
                private let \(holder) = LayeredPrefs.PrefsExpansion.LazyGroup<\(type)>(\(keyName))
                """)
    }
}
