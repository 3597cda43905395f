import Synchronization

/// A running call of an `apply` handler. Tasks that the handler starts know of the call, too, and may outlive it.
final class ApplyCall: Sendable {
    @TaskLocal private static var current: ApplyCall?

    /// True if the task is part of such a call.
    static var isUnderWay: Bool { current?.isRunning ?? false }

    /// Returns true if the task is part of such a call for a configuration of a stack.
    static func isUnderWay(in stack: ObjectIdentifier) -> Bool {
        current.map { $0.isRunning && $0.stack == stack } ?? false
    }

    private let stack: ObjectIdentifier
    private let hasEnded = Atomic(false)

    private var isRunning: Bool { !hasEnded.load(ordering: .acquiring) }

    private init(in stack: ObjectIdentifier) { self.stack = stack }

    static func run<Result>(
        in stack: ObjectIdentifier, _ body: () async throws -> Result
    ) async rethrows -> Result {
        let call = ApplyCall(in: stack)
        defer { call.hasEnded.store(true, ordering: .releasing) }
        return try await $current.withValue(call) { try await body() }
    }
}
