import Foundation
import PrefsKitCompatibility

/// The failures of the running check.
nonisolated(unsafe) private var failures: [String] = []

/// Runs a check and prints one line about it, or one line for each failure.
@MainActor func report(_ name: String, _ check: @MainActor () async throws -> Void) async {
    failures = []
    do {
        try await check()
    } catch {
        failures.append("threw \(error)")
    }
    if failures.isEmpty { print("passed \(name)") }
    for failure in failures { print("failed \(name): \(failure)") }
}

func expect(_ condition: Bool, file: String = #fileID, line: Int = #line) {
    if !condition { failures.append("\(file):\(line)") }
}

func expect<Value: Equatable>(
    _ value: Value, is expected: Value, file: String = #fileID, line: Int = #line
) {
    if value != expected { failures.append("\(file):\(line): \(value) is not \(expected)") }
}

/// Returns true if observers of the properties that `read` accesses are notified of the change.
func isNotified(of read: () -> Void, by change: () throws -> Void) rethrows -> Bool {
    let received = Flag()
    withObservationTracking(read) { received.raise() }
    try change()
    return received.isRaised
}

/// Sendable: a mutex protects all access.
private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isRaised: Bool { lock.withLock { value } }
    func raise() { lock.withLock { value = true } }
}

/// Returns a property list with a single number.
func propertyList(foo: Int) -> String {
    #"<plist version="1.0"><dict><key>foo</key><integer>\#(foo)</integer></dict></plist>"#
}

/// Returns a path in the program's folder, which is removed with it.
func path(_ name: String) -> String { FileManager.default.currentDirectoryPath + "/" + name }
