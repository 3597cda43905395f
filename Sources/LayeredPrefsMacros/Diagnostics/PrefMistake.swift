import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A mistake in a declaration: where it is, the sentence that names the fix, and the fix where it is one edit.
struct PrefMistake: Error {
    let node: Syntax
    let message: PrefsMessage
    let fixIts: [FixIt]

    init(_ node: some SyntaxProtocol, _ message: PrefsMessage, fixIts: [FixIt] = []) {
        self.node = Syntax(node)
        self.message = message
        self.fixIts = fixIts
    }

    func report(in context: some MacroExpansionContext) {
        context.diagnose(Diagnostic(node: node, message: message, fixIts: fixIts))
    }
}

/// What the macros have to say.
struct PrefsMessage: DiagnosticMessage {
    let id: String
    let message: String
    let severity: DiagnosticSeverity

    init(_ id: String, _ message: String, severity: DiagnosticSeverity = .error) {
        self.id = id
        self.message = message
        self.severity = severity
    }

    var diagnosticID: MessageID { MessageID(domain: "LayeredPrefs", id: id) }
}
