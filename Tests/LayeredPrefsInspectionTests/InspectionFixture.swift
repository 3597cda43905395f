import LayeredPrefs
import LayeredPrefsTesting
import PrefsSystem

@testable import LayeredPrefsInspection

/// A stack with a user file, variables and overrides, and the answers about it.
struct InspectionFixture {
    let sandbox: PrefsSandbox
    let storage: PrefsStack
    let port = PersistentKey("http.port", defaultValue: 8080, in: 1...65535)
    let token = PersistentKey("auth.token", defaultValue: "none", .secret)
    let workers = PersistentKey("workers", defaultValue: 4, .needsRestart)
    var file: String { "\(sandbox.root)/user.json" }

    init(variables: [String: String] = [:]) throws {
        let sandbox = try PrefsSandbox()
        self.sandbox = sandbox
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in }
        storage = PrefsStack(diagnostics: PrefsDiagnosticHandler { _ in }) { [options] in
            PrefsLayer("user", FilePrefsStorage(path: "\(sandbox.root)/user.json", options: options))
            PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: "MYD_", environment: variables))
            PrefsLayer.overrides
        }
    }

    func answers(
        permitting permissions: PrefsInspection.Permissions = [], historyLength: Int = 100
    ) -> InspectionAnswers {
        InspectionAnswers(
            storage: storage, domain: "com.example.myd",
            keys: [PrefsKeyDescription(port), PrefsKeyDescription(token), PrefsKeyDescription(workers)],
            permissions: permissions, historyLength: historyLength)
    }

    func write(_ text: String) throws { try PrefsFileWriter(file).replace { _ in Array(text.utf8) } }
}
