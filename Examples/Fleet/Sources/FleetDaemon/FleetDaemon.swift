import Dispatch
import Glibc
import LayeredPrefs
import LayeredPrefsEtcd

/// A daemon with settings that many machines share. It prints each setting when it changes on the servers, and
/// reports which contents it has.
///
/// usage: FleetDaemon NAME CACHE ENDPOINT…
@main
enum FleetDaemon {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 3 else {
            say("usage: FleetDaemon NAME CACHE ENDPOINT…")
            exit(2)
        }
        let name = arguments[1]
        let diagnostics = PrefsDiagnosticHandler { say("\(name): \($0)") }
        let fleet = EtcdPrefsStorage(
            endpoints: Array(arguments[3...]), prefix: "/prefs/com.example.myd/",
            locks: "/prefs-locks/com.example.myd/", cache: .file(at: arguments[2]), host: "host-\(name)",
            diagnostics: diagnostics)
        let storage = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer.defaults(["http.port": 8080, "log.level": "info"])
            PrefsLayer("fleet", fleet)
            PrefsLayer.environment(prefix: "MYD_")
        }
        let port = PersistentKey("http.port", defaultValue: 0, in: 1...65535)
        let level = PersistentKey("log.level", defaultValue: "")
        let observations = [
            watch(port, in: storage, as: name), watch(level, in: storage, as: name),
            fleet.reportInstance(
                of: storage, keys: [PrefsKeyDescription(port), PrefsKeyDescription(level)],
                under: "/prefs-instances/com.example.myd/", delay: .seconds(1)),
        ]
        say("\(name): ready, \(fleet.status.first?.detail ?? "")")
        waitForEnd()
        observations.forEach { $0.cancel() }
    }

    /// Prints a setting now and after each change.
    static func watch<Value: Equatable>(
        _ key: PersistentKey<Value>, in storage: PrefsStack, as name: String
    ) -> PrefsObservation {
        let observation = storage.observe(key) { change in
            let origin = change.new.origin.map { "\($0)" } ?? "default"
            say("\(name): \(change.key): \(change.old.value) → \(change.new.value)  (\(origin))")
        }
        let start = storage.resolution(for: key)
        say("\(name): \(key.id): \(start.value)  (\(start.origin.map { "\($0)" } ?? "default"))")
        return observation
    }

    static func waitForEnd() {
        let ended = DispatchSemaphore(value: 0)
        let sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { ended.signal() }
            source.resume()
            return source
        }
        ended.wait()
        withExtendedLifetime(sources) {}
    }

    /// Prints a line immediately, even to a pipe.
    static func say(_ line: String) {
        print(line)
        fflush(nil)
    }
}
