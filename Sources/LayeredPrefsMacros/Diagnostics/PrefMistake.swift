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

/// A message of the macros: a mistake and its fix.
struct PrefsMessage: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity
    let diagnosticID: MessageID

    /// - Parameter name: The name of the message. By default, it is the name of the function or variable that
    ///   makes it.
    init(_ message: String, severity: DiagnosticSeverity = .error, name: String = #function) {
        self.message = message
        self.severity = severity
        diagnosticID = MessageID(domain: "LayeredPrefs", id: String(name.prefix { $0 != "(" }))
    }
}
