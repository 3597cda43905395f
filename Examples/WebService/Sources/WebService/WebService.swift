import Configuration
import Hummingbird
import LayeredPrefs
import LayeredPrefsConfiguration
import LayeredPrefsLogging
import LayeredPrefsService
import Logging
import ServiceLifecycle
import UnixSignals

/// A web server whose settings come from the layers of `com.example.web`.
///
/// Hummingbird reads its address from them once, at start. The log level, the largest accepted body and the
/// greeting follow every edit of a file and every `prefs set`, from the next request on.
@main struct WebService {
    static func main() async throws {
        let storage = LayeredPrefsStorage.standard(domain: "com.example.web")
        let config = ConfigReader(provider: LayeredPrefsProvider(storage))
        LoggingSystem.bootstrap { label in
            storage.bindLogLevel(.logLevel, to: StreamLogHandler.standardError(label: label))
        }
        let server = Application(
            router: router(storage),
            configuration: ApplicationConfiguration(reader: config.scoped(to: "http")),
            logger: Logger(label: "web"))
        // The group stops its services in reverse order: the server drains its connections, then deferred
        // writes of preferences are completed.
        let group = ServiceGroup(
            services: [PrefsService(storage), server], gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "services"))
        try await group.run()
    }

    private static func router(_ storage: LayeredPrefsStorage) -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: BodyLimit(storage: storage))
        router.get("/") { _, context in
            context.logger.debug("greeting")
            return storage.get(.isNewGreeting) ? "Welcome!\n" : "Hello\n"
        }
        router.post("/echo") { request, _ in
            let body = try await request.body.collect(upTo: storage.get(.maximumBody))
            return String(buffer: body)
        }
        // Takes a second, so that one can see that a shutdown waits for it.
        router.get("/slow") { _, _ in
            try await Task.sleep(for: .seconds(1))
            return "done\n"
        }
        return router
    }
}

/// Rejects requests whose body is larger than the present limit before it is read.
private struct BodyLimit: RouterMiddleware {
    let storage: LayeredPrefsStorage

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        guard length <= storage.get(.maximumBody) else { throw HTTPError(.contentTooLarge) }
        return try await next(request, context)
    }
}

extension PersistentKey where Value == Logger.Level {
    static var logLevel: Self { Self("log.level", defaultValue: .info) }
}

extension PersistentKey where Value == Int {
    /// The largest accepted body, in bytes.
    static var maximumBody: Self { Self("http.maximumBody", defaultValue: 1024, in: 1...1_048_576) }
}

extension PersistentKey where Value == Bool {
    static var isNewGreeting: Self { Self("features.newGreeting", defaultValue: false) }
}
