#if ServiceLifecycle
    import Foundation
    import InMemoryLogging
    import LayeredPrefs
    import LayeredPrefsService
    import LayeredPrefsTesting
    import Logging
    import PrefsSystem
    import ServiceLifecycle
    import ServiceLifecycleTestKit
    import TestSupport
    import Testing
    import UnixSignals

    /// An administrator's edits of a program's files before `systemctl reload`.
    enum ReloadSituation: String, CaseIterable, CustomTestStringConvertible, Sendable {
        case good, rejectedByValue, rejectedByRule, rejectedByProgram, broken, removed, twoFormats, nothing,
            twoEdits

        var testDescription: String { rawValue }

        /// A pattern of the status. `MAIN` is the administrator's file, and `TIME` a time of the day.
        var status: String {
            switch self {
            case .good: "Reloaded; active since TIME: limit"
            case .rejectedByValue:
                "Reloaded; rejected: system MAIN:1:1: limit: expected 1...100, found the integer 700; "
                    + "keeping the previous version"
            case .rejectedByRule:
                "Reloaded; rejected: system MAIN: rejected by a rule of the program: low exceeds limit; "
                    + "keeping the previous version"
            case .rejectedByProgram:
                "Reloaded; rejected: system MAIN:2:1: port: .*Taken\\(\\); keeping the previous version"
            case .broken: "Reloaded; rejected: system MAIN:1:.*; keeping the previous version"
            case .removed: "Reloaded; active since TIME: limit"
            case .twoFormats: "Reloaded; rejected: system .*relay.json.*; keeping the previous version"
            case .nothing: "Reloaded; nothing changed"
            case .twoEdits: "Reloaded; active since TIME: limit, port"
            }
        }
    }

    extension NotifySocketTests {
        @Suite struct ReloadStatusTests {
            private struct Relay: Codable, Sendable {
                @Setting(in: 1...100) var limit = 10
                var low = 0
                @Setting(in: 1...65535) var port = 8080
                @Setting(needsRestart: true) var workers = 4
            }
            private struct Taken: Error {}

            private let sandbox: PrefsSandbox
            private let listener: NotifySocket
            private let main: String
            private let storage: PrefsStack
            private let relay: Live<Relay>
            private let applying: PrefsObservation
            private let log = InMemoryLogHandler()

            init() throws {
                sandbox = try PrefsSandbox()
                listener = try #require(NotifySocket(path: "\(sandbox.root)/notify"))
                unsafe setenv("NOTIFY_SOCKET", listener.path, 1)
                main = "\(sandbox.root)/etc/relay/relay.toml"
                try sandbox.write("limit = 10\n", to: "\(sandbox.root)/usr/lib/relay/relay.toml")
                try sandbox.write("limit = 15\n", to: main)
                storage = Self.stack(sandbox)
                relay = try Self.start(storage)
                applying = relay.apply(\.port) { _, new in if new == 22 { throw Taken() } }
            }

            private static func stack(_ sandbox: PrefsSandbox) -> PrefsStack {
                var options = FilePrefsStorage.Options()
                options.diagnostics = PrefsDiagnosticHandler { _ in }
                return .daemon(
                    "relay", root: sandbox.root, environment: [:], arguments: [], options: options)
            }

            private static func start(_ storage: PrefsStack) throws -> Live<Relay> {
                try Live(Relay(), storage) {
                    if $0.low > $0.limit { throw PrefsError(.invalid, reason: "low exceeds limit") }
                }
            }

            private func edit(_ text: String) throws { try sandbox.write(text, to: main) }

            private func make(_ situation: ReloadSituation) async throws {
                switch situation {
                case .good: try edit("limit = 20\n")
                case .rejectedByValue: try edit("limit = 700\n")
                case .rejectedByRule: try edit("limit = 15\nlow = 16\n")
                case .rejectedByProgram: try edit("limit = 15\nport = 22\n")
                case .broken: try edit("limit = \"18\n")
                case .removed: try sandbox.remove(main)
                case .twoFormats:
                    try sandbox.write("{\"limit\": 3}", to: "\(sandbox.root)/etc/relay/relay.json")
                case .nothing: break
                case .twoEdits:
                    try edit("limit = 20\n")
                    storage.reload()
                    await storage.applied()
                    try edit("limit = 20\nport = 9090\n")
                }
            }

            private func matches(_ text: String?, _ pattern: String) -> Bool {
                let pattern = pattern.replacing("MAIN", with: main)
                    .replacing("TIME", with: #"\d\d:\d\d:\d\d"#)
                return text?.range(of: "^STATUS=\(pattern)$", options: .regularExpression) != nil
            }

            /// Runs the service while `body` triggers reloads.
            private func run(_ body: @Sendable () async throws -> Void) async throws {
                let logger = Logger(label: "relay") { _ in log }
                try await testGracefulShutdown { trigger in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            await PrefsService(storage, reloadingOn: [.sigusr2], logger: logger).run()
                        }
                        #expect(await listener.next() == "READY=1")
                        try await body()
                        trigger.triggerGracefulShutdown()
                        #expect(await listener.next() == "STOPPING=1")
                        try await group.waitForAll()
                    }
                }
            }

            /// Reloads, and returns the status.
            private func reload() async -> String? {
                kill(getpid(), SIGUSR2)
                #expect(await listener.next()?.hasPrefix("RELOADING=1") == true)
                let status = await listener.next()
                #expect(await listener.next() == "READY=1")
                return status
            }

            @Test(arguments: ReloadSituation.allCases)
            func `a reload says what is active and what is not`(situation: ReloadSituation) async throws {
                try await run {
                    try await make(situation)
                    let status = await reload()
                    #expect(matches(status, situation.status), "\(status ?? "nothing")")
                    // A health check agrees.
                    let isRejected = situation.status.contains("rejected")
                    #expect(storage.rejections.isEmpty != isRejected)
                    #expect(storage.rejections.count <= 1)
                    // The next reload has no news, but still reports the rejection.
                    let next = await reload()
                    #expect(
                        matches(next, isRejected ? situation.status : ReloadSituation.nothing.status),
                        "\(next ?? "nothing")")
                }
                applying.cancel()
            }

            @Test func `a broken file is among the rejections of a running program as after a restart`()
                async throws
            {
                let copies = "\(sandbox.root)/state"
                let contents = StartContents.lastAccepted(in: copies)
                let first = try Live(Relay(), Self.stack(sandbox), startWith: contents)
                try edit("limit = \"18\n")
                await first.storage.reloadAndSettle()
                let second = try Live(Relay(), Self.stack(sandbox), startWith: contents)
                await second.storage.reloadAndSettle()
                for live in [first, second] {
                    #expect(live.current.limit == 15)
                    let problems = live.storage.rejections.flatMap(\.problems)
                    #expect(problems.map(\.code) == [.syntax] && problems[0].origin?.file == main)
                }
                applying.cancel()
            }

            @Test func `each accepted edit is one line of the log, without values`() async throws {
                try await run {
                    try edit("limit = 20\nlow = 3\n")
                    await storage.reloadAndSettle()
                    try edit("limit = \"18\n")
                    await storage.reloadAndSettle()
                    try edit("limit = 20\nlow = 3\n")
                    await storage.reloadAndSettle()
                    // The service does not log the program's own writes.
                    try await relay.update { $0.port = 9000 }
                }
                let lines = log.entries.filter { $0.message.description.hasPrefix("now using") }
                #expect(lines.map(\.message) == ["now using the new version: limit, low"])
                #expect(lines.map(\.level) == [.notice])
                let metadata = try #require(lines.first?.metadata)
                #expect(metadata["file"] == "\(main)" && metadata["keys"] == ["limit", "low"])
                #expect(metadata["generation"].flatMap { UInt64("\($0)") } != nil)
                applying.cancel()
            }

            @Test func `what needs a restart is not called active`() async throws {
                try await run {
                    try edit("limit = 15\nworkers = 8\n")
                    let status = await reload()
                    #expect(status == "STATUS=Reloaded; active after a restart: workers")
                }
                applying.cancel()
            }
        }
    }
#endif
