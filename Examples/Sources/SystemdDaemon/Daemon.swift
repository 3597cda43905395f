import FoundationEssentials
import Glibc
import LayeredPrefs
import LayeredPrefsInspection
import LayeredPrefsReference
import LayeredPrefsService

/// A daemon that applies changed settings without a restart, and prints each setting when it changes.
///
/// `SIGHUP` reloads every file, `SIGUSR1` toggles a run-time override of the log level, and `SIGTERM` and `SIGINT`
/// end the daemon. With the argument `schema`, it prints the schema that its package installs. With
/// `--check-config`, it prints the problems of its files and the changes that a restart of the running daemon
/// would make.
@main
enum Daemon {
    static let domain = "com.example.myd"
    static let keys = DaemonKeys()

    static func main() {
        if CommandLine.arguments.dropFirst().first == "schema" {
            return print(DaemonPrefs.jsonSchema(environmentPrefix: "MYD_"), terminator: "")
        }
        let storage = PrefsStack.standard(domain: domain, locations: locations)
        if let status = storage.checkConfiguration(DaemonPrefs.keys) {
            PrefsInspection.restartChanges(domain: domain).forEach(say)
            exit(status)
        }
        let signals = Signals(SIGHUP, SIGUSR1, SIGTERM, SIGINT)
        let observations = [
            watch(keys.host, in: storage), watch(keys.port, in: storage), watch(keys.workers, in: storage),
            watch(keys.logLevel, in: storage), watch(keys.telemetry, in: storage),
        ]
        let inspection = serveInspection(of: storage)
        say("ready")
        ServiceNotification.ready()
        loop: for signal in signals {
            switch signal {
            case SIGHUP: ServiceNotification.reloading { storage.reload() }
            case SIGUSR1: toggleTracing(in: storage)
            default: break loop
            }
        }
        ServiceNotification.stopping()
        inspection?.close()
        observations.forEach { $0.cancel() }
        say("stopped")
    }

    /// Lets `prefs ps` and `prefs explain --pid` ask this process. If this fails, the daemon runs without
    /// inspection.
    static func serveInspection(of storage: PrefsStack) -> PrefsInspection? {
        do {
            return try storage.serveInspection(domain: domain, keys: DaemonPrefs.keys)
        } catch {
            say("\(error)")
            return nil
        }
    }

    /// Prints a setting now and after each change.
    static func watch<Value: Equatable>(
        _ key: PersistentKey<Value>, in storage: PrefsStack
    ) -> PrefsObservation {
        let observation = storage.observe(key) { change in
            report(change.key, "\(change.old.value) → \(change.new.value)", change.new.origin)
        }
        let start = storage.resolution(for: key)
        report(key.id, "\(start.value)", start.origin)
        return observation
    }

    static func toggleTracing(in storage: PrefsStack) {
        let layer = storage.resolution(for: keys.logLevel).origin?.layer
        let isOn = layer == PrefsLayer.Name.overrides.description
        do {
            try storage.setValue(isOn ? nil : "trace", forKey: "log.level", in: .overrides)
        } catch {
            say("\(error)")
        }
    }

    static func report(_ key: String, _ value: String, _ origin: PrefsOrigin?) {
        say("\(key.padded(to: 13)) \(value.padded(to: 24)) \(place(of: origin))")
    }

    /// Prints a line and flushes it, so that it is not delayed in a pipe.
    static func say(_ text: String) {
        print("myd: \(text)")
        fflush(nil)
    }

    private static func place(of origin: PrefsOrigin?) -> String {
        guard let origin else { return "(default)" }
        let file = origin.file.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let place = [file ?? origin.spelling, origin.position?.description]
        return "\(origin.layer ?? "") \(place.compactMap(\.self).joined(separator: ":"))"
    }

    /// The standard file locations below the folder in `MYD_ROOT`; `nil` if the variable is not set.
    private static var locations: PrefsFileLocations? {
        guard let root = ProcessInfo.processInfo.environment["MYD_ROOT"] else { return nil }
        return PrefsFileLocations(
            system: [
                .init(path: "\(root)/usr/share/myd/\(domain).plist"),
                .init(path: "\(root)/etc/xdg/\(domain).plist"),
                .init(path: "\(root)/run/\(domain).plist"),
            ],
            user: "\(root)/home/.config/\(domain).plist")
    }
}

extension String {
    func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
