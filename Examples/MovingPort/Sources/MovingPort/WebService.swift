import Hummingbird
import LayeredPrefs
import LayeredPrefsLogging
import LayeredPrefsService
import Logging
import ServiceLifecycle
import UnixSignals

/// The settings of the service, with their defaults.
struct Web: Codable, Sendable {
    struct Listen: Codable, Sendable {
        var host = "127.0.0.1"
        @Setting("TCP port", in: 1...65_535) var port = 8080
    }

    var listen = Listen()
    @Setting("Text of the answer") var greeting = "Hello"
    @Setting("Largest accepted body, in bytes", in: 1...1_048_576) var maximumBody = 1024
    @Setting("Lowest level that is logged") var logLevel = Logger.Level.info
}

/// A web server that follows the files of the daemon `web`. It even changes its port without rejecting a
/// connection.
@main struct WebService {
    static func main() async throws {
        let web = try Live(Web(), .daemon("web"))
        LoggingSystem.bootstrap { label in
            web.bindLogLevel(\.logLevel, to: StreamLogHandler.standardError(label: label))
        }
        let logger = Logger(label: "web")
        // The group stops its services in reverse order, so the server drains its connections first.
        let group = ServiceGroup(
            services: [
                PrefsService(web.storage, notifiesReadiness: false, logger: logger),
                Frontend(web: web, logger: logger),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
    }
}

/// Serves on the configured port, and moves to another port when somebody edits it.
struct Frontend: Service {
    let web: Live<Web>
    let logger: Logger

    /// Opens a new port before anything uses the edit, so an edit to a port that is taken is rejected. Closes the
    /// old port once the edit is active.
    ///
    /// Hummingbird cannot take over an open socket, so an edit has to change the port. An edit to another host on
    /// the same port is rejected because the port is taken.
    func run() async throws {
        let active = Active()
        let listening = try await web.applyNow(\.listen) { _, new in
            try await Server(new, router, logger)
        } commit: { server in
            await active.replace(with: server)?.stop()
        } abort: { server in
            await server.stop()
        }
        ServiceNotification.ready()
        try await gracefulShutdown()
        listening.cancel()
        await active.replace(with: nil)?.stop()
    }

    private var router: Router<BasicRequestContext> {
        let router = Router()
        router.get("/") { _, context in
            context.logger.debug("greeting")
            return web.current.greeting + "\n"
        }
        router.post("/echo") { request, _ in
            String(buffer: try await request.body.collect(upTo: web.current.maximumBody))
        }
        // This request takes a second, so that you can see that nothing interrupts it.
        router.get("/slow") { _, _ in
            try await Task.sleep(for: .seconds(1))
            return "done\n"
        }
        return router
    }
}

/// The active server.
private actor Active {
    private var server: Server?

    /// Replaces the server and returns the previous one.
    func replace(with server: Server?) -> Server? {
        defer { self.server = server }
        return self.server
    }
}

/// A running Hummingbird application.
private final class Server: Sendable {
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// Starts a server. Returns when it accepts connections.
    init(_ listen: Web.Listen, _ router: Router<BasicRequestContext>, _ logger: Logger) async throws {
        let (starts, start) = AsyncThrowingStream<Void, any Error>.makeStream()
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(listen.host, port: listen.port)),
            onServerRunning: { _ in start.yield() }, logger: logger)
        let group = ServiceGroup(services: [application], logger: logger)
        self.group = group
        running = Task {
            do { try await group.run() } catch { start.finish(throwing: error) }
        }
        for try await _ in starts { return }
    }

    /// Stops accepting connections. Returns when all current requests have been answered.
    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await running.result
    }
}
