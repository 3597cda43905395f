import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A mistake in a declaration: its node, the message that names the fix, and the fix-it if it is a single
/// edit.
struct PrefMistake: Error {
    let node: Syntax
    let message: PrefsMessage
    let fixIts: [FixIt]

    init(_ node: some SyntaxProtocol, _ message: PrefsMessage, fixIts: [FixIt] = []) {
        self.node = Syntax(node)
        self.message = message
        self.fixIts = fixIts
    }

    var diagnostic: Diagnostic { Diagnostic(node: node, message: message, fixIts: fixIts) }

    func report(in context: some MacroExpansionContext) { context.diagnose(diagnostic) }
}

/// A message of the macros: what is wrong, and how to fix it.
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
