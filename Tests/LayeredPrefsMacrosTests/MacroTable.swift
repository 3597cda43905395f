import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@testable import LayeredPrefsMacros

/// The macros by the names under which programs use them.
let macroSpecs: [String: MacroSpec] = {
    var specs: [String: MacroSpec] = [
        "PrefsSchema": MacroSpec(
            type: PrefsSchemaMacro.self, conformances: ["Observable", "PrefsSchema", "Sendable"]),
        "PrefsGroup": MacroSpec(
            type: PrefsGroupMacro.self, conformances: ["Observable", "PrefsGroup", "Sendable"]),
        "PrefGroup": MacroSpec(type: PrefGroupMacro.self),
    ]
    for flavor in PrefFlavor.allCases { specs[flavor.rawValue] = MacroSpec(type: PrefMacro.self) }
    return specs
}()

/// Compares an expansion and reports failures to Swift Testing; by default the support library reports them
/// only to XCTest.
func expectExpansion(
    _ source: String,
    _ expanded: String,
    onFailure: (TestFailureSpec) -> Void = { Issue.record("\($0.message)") }
) {
    assertMacroExpansion(
        source, expandedSource: expanded, macroSpecs: macroSpecs, failureHandler: onFailure)
}

/// The expansion of a source text and the diagnostics of the macros.
struct Findings {
    /// The messages of the diagnostics.
    var messages: [String] = []
    var fixIts: [String] = []
    var expanded = ""

    init(of source: String) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(
            sourceFiles: [file: .init(moduleName: "Tests", fullFilePath: "tests.swift")])
        expanded =
            file.expand(
                macroSpecs: macroSpecs,
                contextGenerator: {
                    BasicMacroExpansionContext(
                        sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
                }
            ).description
        for diagnostic in context.diagnostics {
            messages.append(diagnostic.message)
            fixIts += diagnostic.fixIts.map(\.message.message)
        }
    }
}
