import Glibc
import LayeredPrefs
import LayeredPrefsLogging
import LayeredPrefsService
import Logging

@main
enum Main {
    static func main() async {
        do {
            try await run()
        } catch let error as PrefsError {
            for problem in error.problems { Logger(label: "relay").critical("\(problem)") }
            exit(error.exitStatus)
        } catch {
            Logger(label: "relay").critical("\(error)")
            exit(1)
        }
    }

    static func run() async throws {
        let storage = LayeredPrefsStorage.daemon("relay")
        if let status = Live.checkConfiguration(Relay(), storage) { exit(status) }
        let relay = try Live(Relay(), storage)

        let handler = relay.bindLogLevel(\.log.level, to: StreamLogHandler.standardError(label: "relay"))
        let logger = Logger(label: "relay") { _ in handler }

        let server = Server {
            logger.debug("a client")
            return relay.current.greeting
        }
        let listening = try await relay.applyNow(\.listen) { old, new in
            try await server.open(new, insteadOf: old)
        } commit: { socket in
            await server.use(socket)
        } abort: { socket in
            await server.discard(socket)
        }
        defer { listening.cancel() }

        ServiceNotification.ready()
        for await next in relay.updates {
            logger.info("port \(next.listen.port), token \(next.token.isEmpty ? "unset" : "set")")
        }
    }
}
