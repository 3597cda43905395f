import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsLogging
import LayeredPrefsService
import Logging

@main
enum Daemon {
    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "schema" {
            return print(Settings.jsonSchema(environmentPrefix: "MYD_"), terminator: "")
        }
        let storage = LayeredPrefsStorage.standard(domain: "com.example.myd")
        let handler = storage.bindLogLevel(.logLevel, to: StreamLogHandler.standardError(label: "myd"))
        let logger = Logger(label: "myd") { _ in handler }
        var inspection: PrefsInspection?
        do {
            inspection = try storage.serveInspection(domain: "com.example.myd", keys: Settings.keys)
        } catch {
            logger.warning("not inspectable: \(error)")
        }
        defer { inspection?.close() }

        logger.info("started")
        ServiceNotification.ready()
        while true {
            logger.debug("working")
            try await Task.sleep(for: storage.get(.interval))
        }
    }
}
