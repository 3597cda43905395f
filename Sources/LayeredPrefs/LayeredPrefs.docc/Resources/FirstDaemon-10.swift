import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsLogging
import LayeredPrefsService
import Logging

@main
enum Daemon {
    static func main() async throws {
        let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
        let handler = storage.bindLogLevel(.logLevel, to: StreamLogHandler.standardError(label: "myd"))
        let logger = Logger(label: "myd") { _ in handler }
        let keys = [PrefsKeyDescription(.logLevel), PrefsKeyDescription(.interval)]
        let inspection = try storage.serveInspection(domain: "com.example.myd", keys: keys)
        defer { inspection.close() }

        logger.info("started")
        ServiceNotification.ready()
        while true {
            logger.debug("working")
            try await Task.sleep(for: storage.get(.interval))
        }
    }
}
