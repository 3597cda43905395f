/// What the code written by `@PrefsSchema` and `@Pref` is made of.
///
/// Public because that code lies in the program's own module. It is not meant to be used by hand, and may
/// change with any version.
public enum PrefsExpansion {}

extension PrefsExpansion {
    /// A closure of a schema, to be called in the schema's isolation.
    ///
    /// Sendable: it is called where it was created — on the isolating actor — or, where a schema is isolated to
    /// none, touches nothing of the schema but what the expansion stores in it, all of which is `Sendable`.
    public struct Callback: @unchecked Sendable {
        private let body: () -> Void
        private let isolation: (any Actor)?

        public init(isolation: (any Actor)?, _ body: @escaping () -> Void) {
            self.isolation = isolation
            self.body = body
        }

        var isIsolated: Bool { isolation != nil }

        /// Calls the closure; the caller is on the isolating actor, if there is one.
        func call() { body() }

        /// Calls the closure now, or where there is an isolating actor soon and there.
        func callInIsolation() {
            guard let isolation else { return body() }
            Task { await callOn(isolation) }
        }

        private func callOn(_ actor: isolated any Actor) { body() }
    }
}
