import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct LayeredPrefsPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        PrefsSchemaMacro.self, PrefsGroupMacro.self, PrefMacro.self, PrefGroupMacro.self,
    ]
}
