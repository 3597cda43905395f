import LayeredPrefs
import LayeredPrefsLogging
import Logging

@main
enum Daemon {
    static func main() async throws {
        let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
        let handler = storage.bindLogLevel(.logLevel, to: StreamLogHandler.standardError(label: "myd"))
        let logger = Logger(label: "myd") { _ in handler }

        logger.info("started")
        while true {
            logger.debug("working")
            try await Task.sleep(for: storage.get(.interval))
        }
    }
}
