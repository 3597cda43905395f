import LayeredPrefs
import LayeredPrefsLogging
import Logging

/// A mail relay that delivers no mail. It logs its settings now and after each change.
///
/// Its arguments are the paths of two files. The second file, the administrator's, overrides the first. Variables
/// such as `RELAY_TLS_MINIMUM` override both.
@main
enum MailRelay {
    static func main() async {
        let files = CommandLine.arguments.dropFirst()
        guard let vendor = files.first, let administrator = files.last, files.count == 2 else {
            return print("usage: StructsInASchema VENDOR-FILE ADMINISTRATOR-FILE")
        }
        let storage = PrefsStack {
            PrefsLayer("vendor", .file(at: vendor))
            PrefsLayer("administrator", .file(at: administrator))
            PrefsLayer.environment(prefix: "RELAY_")
        }
        storage.declare(.logLevel)
        let log = Logger(label: "relay") { label in
            storage.bindLogLevel(.logLevel, to: StreamLogHandler.standardError(label: label))
        }
        let observation = storage.observe(.logLevel) { change in
            log.notice("logging \(change.new.value) and above")
        }
        defer { observation.cancel() }
        let prefs = RelayPrefs(storage)
        for await settings in Observations({ (routes: prefs.routes, tls: prefs.tls, retry: prefs.retry) }) {
            let tls = settings.tls
            log.info("retry \(settings.retry), TLS \(tls.minimum.rawValue), handshake \(tls.handshake)")
            for route in settings.routes {
                log.debug("\(route.domain) → \(route.host), timeout \(route.timeout)")
            }
        }
    }
}
