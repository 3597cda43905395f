import Foundation
import PrefsSystem

/// Saves the defaults that this library wrote to when the process exits normally.
///
/// Foundation on Linux writes defaults only on request. Without this type, a value that was set would be lost even
/// if the process exits normally.
enum SynchronizeAtExit {
    private static let written = Lock<[ObjectIdentifier: UserDefaultsAccess]>([:])

    private static let registered: Void = {
        _ = atexit { SynchronizeAtExit.saveAll() }
    }()

    static func add(_ defaults: UserDefaults) {
        _ = registered
        let access = UserDefaultsAccess(suite: defaults)
        written.withLock { $0[ObjectIdentifier(access.suite)] = access }
    }

    static func saveAll() {
        for defaults in written.withLock({ Array($0.values) }) { _ = defaults.suite.synchronize() }
    }
}
