import SwiftSyntax

/// The code to which a group within a schema expands.
struct GroupExpansion {
    private let group: GroupDeclaration

    init(_ group: GroupDeclaration) { self.group = group }

    var accessors: [AccessorDeclSyntax] {
        [
            AccessorDeclSyntax(
                verbatim: """
                    get {
                        \(group.holder).value(in: _$prefs, bind: _$bind, make: \(group.type).init)
                    }
                    """)
        ]
    }

    var peers: [DeclSyntax] {
        [
            DeclSyntax(
                verbatim: """
                    private let \(group.holder) = LayeredPrefs.PrefsExpansion.LazyGroup<\(group.type)>(\(group.keyName))
                    """)
        ]
    }
}
