import InMemoryLogging
import LayeredPrefs
import LayeredPrefsLogging
import LayeredPrefsTesting
import Logging
import Testing

extension PersistentKey where Value == Int {
    fileprivate static var port: Self { Self("http.port", defaultValue: 80) }
    fileprivate static var pin: Self {
        Self("pin", defaultValue: 0, .secret)
    }
}

@Suite struct LoggingTests {
    private let handler = InMemoryLogHandler()

    private var logger: Logger { Logger(label: "prefs") { _ in handler } }

    @Test(arguments: [
        (PrefsDiagnostic.Severity.error, Logger.Level.error), (.warning, .warning), (.recovered, .notice),
    ])
    func `each severity has its log level`(_ severity: PrefsDiagnostic.Severity, level: Logger.Level) {
        let diagnostics = PrefsDiagnosticHandler()
        let logging = diagnostics.log(to: logger)
        diagnostics.report(severity, PrefsError(.syntax, reason: "expected </dict>"))
        logging.cancel()
        diagnostics.report(severity, PrefsError(.syntax, reason: "expected </dict>"))
        #expect(
            handler.entries == [
                .init(
                    level: level, message: "expected </dict>",
                    metadata: severity == .recovered ? [:] : ["code": "syntax"])
            ])
    }

    @Test func `a rejected value is logged with its location and its recovery is logged too`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(
            """
            <plist version="1.0"><dict>
            <key>http</key><dict>
              <key>port</key><string>many</string>
            </dict></dict></plist>
            """, to: sandbox.user)
        var options = FilePrefsStorage.Options()
        options.diagnostics = .logging(to: logger)
        let storage = sandbox.standard(options: options)
        #expect(storage.get(.port) == 80)
        let place: Logger.Metadata = [
            "code": "wrongType", "key": "http.port", "layer": "user",
            "place": "\(sandbox.user):3:3",
        ]
        #expect(handler.entries.map(\.level) == [.error])
        #expect(
            handler.entries.map(\.message) == [
                "http.port: expected an integer, found the string \"many\""
            ])
        #expect(handler.entries.map(\.metadata) == [place])
        try sandbox.write(["http": ["port": 1]], to: sandbox.user)
        await storage.reloadAndSettle()
        #expect(handler.entries.map(\.level) == [.error, .notice])
        #expect(handler.entries.last?.metadata["key"] == "http.port")
    }

    @Test func `what is reported before there is a logger is held for it`() {
        let diagnostics = PrefsDiagnosticHandler.held()
        diagnostics.report(.error, PrefsError(.syntax, reason: "first"))
        diagnostics.report(.warning, PrefsError(.syntax, reason: "second"))
        let logging = diagnostics.log(to: logger)
        diagnostics.report(.error, PrefsError(.syntax, reason: "third"))
        logging.cancel()
        #expect(handler.entries.map(\.message) == ["first", "second", "third"])
    }

    @Test func `a secret is not logged`() throws {
        let storage = PrefsStack(diagnostics: .logging(to: logger)) {
            PrefsLayer.defaults(["pin": "hush"])
        }
        #expect(storage.get(.pin) == 0)
        #expect(handler.entries.map(\.message) == ["pin: expected an integer, found a string"])
    }

    @Test func `the log level can be chosen`() {
        let diagnostics = PrefsDiagnosticHandler()
        let logging = diagnostics.log(to: logger) { $0.error.code == .unknownKey ? .info : $0.logLevel }
        diagnostics.report(.warning, PrefsError(.unknownKey, key: "prot", reason: "unknown key"))
        logging.cancel()
        #expect(handler.entries.map(\.level) == [.info])
    }
}
