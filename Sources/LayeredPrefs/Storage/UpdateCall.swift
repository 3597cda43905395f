import PrefsDocuments
import Synchronization

/// A call of a closure that changes what it has read, as long as it runs. It must not write, because the file that it
/// reads is locked meanwhile: its write would wait for itself.
///
/// The tasks that the closure starts know of the call, too, and may go on after it.
final class UpdateCall: Sendable {
    @TaskLocal private static var current: UpdateCall?

    private let hasEnded = Atomic(false)

    private init() {}

    static func run(_ body: () throws -> Void) rethrows {
        let call = UpdateCall()
        defer { call.hasEnded.store(true, ordering: .releasing) }
        try $current.withValue(call) { try body() }
    }

    /// Throws if the caller, which is about to write, is part of such a call.
    static func checkHasEnded(writing key: String? = nil) throws(PrefsError) {
        guard let current, !current.hasEnded.load(ordering: .acquiring) else { return }
        throw PrefsError(
            .unsupported, key: key,
            reason: "not written because an `update` closure may only read; write after it returns")
    }
}
