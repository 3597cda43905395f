import PrefsDocuments
import Synchronization

/// A running call of an `update` closure, which changes the contents that it has read.
///
/// The closure must not write. If the contents are in a file, the call holds the lock of this file, so a write
/// would wait for itself.
///
/// Tasks that the closure starts inherit the call and may outlive it.
final class UpdateCall: Sendable {
    @TaskLocal private static var current: UpdateCall?

    private let hasEnded = Atomic(false)

    private init() {}

    static func run(_ body: () throws -> Void) rethrows {
        let call = UpdateCall()
        defer { call.hasEnded.store(true, ordering: .releasing) }
        try $current.withValue(call) { try body() }
    }

    /// Throws if the caller is about to write from within a running call.
    static func checkHasEnded(writing key: String? = nil) throws(PrefsError) {
        guard let current, !current.hasEnded.load(ordering: .acquiring) else { return }
        throw PrefsError(
            .unsupported, key: key,
            reason: "not written because an `update` closure may only read; write after it returns")
    }
}
