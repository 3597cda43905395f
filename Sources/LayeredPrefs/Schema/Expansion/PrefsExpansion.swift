#if Macros
    /// A namespace for the declarations that the expansions of `@PrefsSchema` and `@Pref` use.
    ///
    /// It is public because the expanded code is compiled in the program's own module. Do not use it directly: it
    /// may change in any version.
    @_documentation(visibility: internal)
    public enum PrefsExpansion {}

    extension PrefsExpansion {
        /// A closure that is called in its schema's isolation.
        ///
        /// Sendable: the closure of a schema isolated to an actor is only called on that actor, where it was
        /// created. The closure of a nonisolated schema accesses only values that the expansion stores in the
        /// schema, and these are `Sendable`.
        public struct Callback: @unchecked Sendable {
            private let body: () -> Void
            private let isolation: (any Actor)?

            /// Creates a callback.
            ///
            /// - Parameters:
            ///   - isolation: The actor that the schema is isolated to; `nil` for a nonisolated schema.
            ///   - body: The closure, created in that isolation.
            public init(isolation: (any Actor)?, _ body: @escaping () -> Void) {
                self.isolation = isolation
                self.body = body
            }

            var isIsolated: Bool { isolation != nil }

            /// Calls the closure. The caller must be on the isolating actor, if there is one.
            func call() { body() }

            /// Calls the closure immediately, or, if there is an isolating actor, asynchronously on that actor.
            func callInIsolation() {
                guard let isolation else { return body() }
                Task { await callOn(isolation) }
            }

            private func callOn(_ actor: isolated any Actor) { body() }
        }
    }

    extension PrefsExpansion {
        /// The default argument for the range of a preference that declares none.
        public static var everything: PartialRangeFrom<Int> { Int.min... }

        /// The default argument for the condition of a preference that declares none.
        public static func accept(_: Never) -> Bool {}
    }
#endif
