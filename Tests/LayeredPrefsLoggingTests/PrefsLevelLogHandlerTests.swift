import InMemoryLogging
import LayeredPrefs
import LayeredPrefsLogging
import LayeredPrefsTesting
import Logging
import Testing

extension PersistentKey where Value == Logger.Level {
    fileprivate static var level: Self { Self("log.level", defaultValue: .notice) }
}

@PrefsSchema private final class LevelPrefs {
    @Storage var storage = .dictionary
    @Pref var level: Logger.Level = .notice
}

@Suite struct PrefsLevelLogHandlerTests {
    private let storage = DictionaryPrefsStorage()
    private let memory = InMemoryLogHandler()

    private var logger: Logger {
        Logger(label: "myd") { _ in storage.bindLogLevel(.level, to: memory) }
    }

    @Test func `the level follows the key`() throws {
        let logger = logger
        #expect(logger.logLevel == .notice)
        logger.info("not logged")
        try storage.set(.level, to: .debug)
        #expect(logger.logLevel == .debug)
        logger.debug("logged")
        try storage.remove(.level)
        logger.info("not logged")
        #expect(memory.entries.map(\.message) == ["logged"])
    }

    @Test func `the level follows a whole configuration`() async throws {
        struct Relay: Codable, Sendable { var logLevel = Logger.Level.notice }
        let stack = PrefsStack(diagnostics: PrefsDiagnosticHandler()) { PrefsLayer.overrides }
        let relay = try Live(Relay(), stack)
        let logger = Logger(label: "relay") { _ in relay.bindLogLevel(\.logLevel, to: memory) }
        #expect(logger.logLevel == .notice)
        try stack.setValue("debug", forKey: "logLevel", in: .overrides)
        await stack.settled()
        #expect(logger.logLevel == .debug)
    }

    @Test func `the level follows a property of a schema`() throws {
        let prefs = LevelPrefs()
        let logger = Logger(label: "myd") { _ in prefs.bindLogLevel(\.level, to: memory) }
        #expect(logger.logLevel == .notice)
        prefs.level = .debug
        #expect(logger.logLevel == .debug)
    }

    @Test func `a rejected level changes nothing`() throws {
        let logger = logger
        storage.update { $0["log.level"] = "loud" }
        #expect(logger.logLevel == .notice)
        storage.update { $0["log.level"] = "error" }
        #expect(logger.logLevel == .error)
    }

    @Test func `a logger that sets its level no longer follows`() throws {
        let logger = logger
        var own = logger
        own.logLevel = .trace
        try storage.set(.level, to: .critical)
        #expect(own.logLevel == .trace)
        #expect(logger.logLevel == .critical)
        own.trace("logged")
        #expect(memory.entries.map(\.level) == [.trace])
    }

    @Test func `metadata is the handler's own and a value`() {
        var logger = logger
        let other = logger
        logger[metadataKey: "id"] = "7"
        logger.error("one")
        other.error("two", metadata: ["extra": "x"])
        #expect(memory.entries.map(\.metadata) == [["id": "7"], ["extra": "x"]])
        #expect(logger.handler.metadata == ["id": "7"])
    }

    @Test func `it follows an edited file`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(["log": ["level": "warning"]], to: sandbox.user)
        let stack = sandbox.standard()
        let logger = Logger(label: "myd") { _ in stack.bindLogLevel(.level, to: memory) }
        #expect(logger.logLevel == .warning)
        let changes = Recorder<Logger.Level>()
        // This observer is registered after the handler's own, so it is notified after it.
        changes.keep(stack.observe(.level) { _ in changes.record(logger.logLevel) })
        try sandbox.write(["log": ["level": "trace"]], to: sandbox.user)
        #expect(try await changes.wait { !$0.isEmpty } == [.trace])
    }
}
