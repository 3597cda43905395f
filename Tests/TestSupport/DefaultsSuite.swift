package import Foundation
import PrefsSystem

/// A suite of defaults that no other test uses. Its release removes the suite and its file.
package final class DefaultsSuite: Sendable {
    package let name: String

    package init(name: String = "LayeredPrefsTests-\(UUID().uuidString)") { self.name = name }

    // `UserDefaults` returns nil only for the global domain and the program's own, which have other names.
    package var defaults: UserDefaults { UserDefaults(suiteName: name)! }

    /// The path of the file that Foundation saves the suite in.
    package var file: String {
        let home = FileManager.default.homeDirectoryForCurrentUser
        return home.appendingPathComponent(".config/\(name).plist").path
    }

    deinit {
        let (name, file) = (name, file)
        Self.whenNothingIsHeld {
            // If the file is only deleted, Foundation writes it again when the process exits.
            let defaults = UserDefaults(suiteName: name)
            defaults?.removePersistentDomain(forName: name)
            _ = defaults?.synchronize()
            try? FileManager.default.removeItem(atPath: file)
        }
    }
}

/// Foundation saves all suites of a process when it saves one. Then a `Float` becomes a `Double`, and a date loses
/// its fraction. So a test that relies on values as they were set holds back everything that saves a suite.
extension DefaultsSuite {
    private static let held = Lock((tests: 0, waiting: [@Sendable () -> Void]()))

    /// Calls a body, and lets no test save or remove a suite meanwhile.
    package static func withoutSaving<Result>(
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        held.withLock { $0.tests += 1 }
        defer {
            held.withLock { held in
                held.tests -= 1
                if held.tests > 0 { return }
                for save in held.waiting { save() }
                held.waiting = []
            }
        }
        return try await body()
    }

    /// Saves a suite as soon as no test holds saving back.
    package static func save(_ save: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            whenNothingIsHeld { continuation.resume(with: Result { try save() }) }
        }
    }

    private static func whenNothingIsHeld(_ save: @escaping @Sendable () -> Void) {
        held.withLock { held in
            if held.tests == 0 { save() } else { held.waiting.append(save) }
        }
    }
}
