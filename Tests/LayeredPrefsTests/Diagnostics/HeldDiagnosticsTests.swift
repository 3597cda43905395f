import PrefsDocuments
import Testing

@testable import LayeredPrefs

@Suite struct HeldDiagnosticsTests {
    @Test func `what is reported while the held diagnostics are received comes after them`() {
        let (diagnostics, reasons) = (PrefsDiagnosticHandler.held(), Log<String>())
        for reason in ["first", "second"] {
            diagnostics.report(.warning, PrefsError(.syntax, reason: reason))
        }
        let subscription = diagnostics.subscribe { diagnostic in
            reasons.add(diagnostic.error.reason)
            guard diagnostic.error.reason == "first" else { return }
            diagnostics.report(.warning, PrefsError(.syntax, reason: "third"))
        }
        diagnostics.report(.warning, PrefsError(.syntax, reason: "fourth"))
        subscription.cancel()
        #expect(reasons.all == ["first", "second", "third", "fourth"])
    }
}
