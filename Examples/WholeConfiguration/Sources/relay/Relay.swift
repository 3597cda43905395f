import Foundation
import LayeredPrefs
import LayeredPrefsReference

struct Relay: Codable, Sendable {
    var listen = Listener()
    @Setting("Connections to accept", in: 1...10_000) var limit = 512
}

struct Listener: Codable, Sendable {
    var host = "127.0.0.1"
    @Setting(in: 1...65535) var port = 8080
}

struct Taken: Error, CustomStringConvertible {
    let port: Int
    var description: String { "port \(port) is taken" }
}

func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8)) }

@main struct RelayConfiguration {
    static func main() async {
        do {
            try await run()
        } catch let error as PrefsError {
            // Print every problem, each with file, line and key. The exit status is 64 if the problem is on the
            // command line.
            for problem in error.problems { say("relay: \(problem)") }
            exit(error.exitStatus)
        } catch {
            say("relay: \(error)")
            exit(1)
        }
    }

    static func run() async throws {
        let root = ProcessInfo.processInfo.environment["ROOT_FOLDER"] ?? "/"
        let storage = PrefsStack.daemon("relay", root: root)
        if CommandLine.arguments.contains("--help") {
            return say(try Live.reference(of: Relay(), locations: .daemon("relay")).help())
        }
        if let status = Live.checkConfiguration(Relay(), storage) { exit(status) }

        let relay = try Live(Relay(), storage)
        let listening = try await relay.applyNow(\.listen) { _, new in
            // A server would open the new socket here, beside the old one, and throw if it cannot.
            if new.port == 22 { throw Taken(port: new.port) }
            say("listening on port \(new.port)")
            return new.port
        } commit: { _ in
            // The edit has taken effect. A server would close the old socket here,
        } abort: { _ in
            // and here the new one, because the edit was rejected after all.
        }
        defer { listening.cancel() }
        for await next in relay.updates { say("port \(next.listen.port), limit \(next.limit)") }
    }
}
