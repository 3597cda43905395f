import PrefsDocuments

/// A handler of a part of a configuration.
///
/// Only the closures know the type of the part and the type of the result of `prepare`.
struct ApplyHandler<Value: Codable & Sendable>: Sendable {
    /// Prepares or applies a value. Returns the preparation, or `nil` if the program uses the value now.
    ///
    /// - Parameter old: The value before; `nil` if the handler has not had one yet.
    typealias Call = @Sendable (_ old: Value?, _ new: Value) async throws -> Preparation?

    let phase: ApplyPhase
    /// Returns the stored form of the part.
    let part: @Sendable (Value) -> PrefsValue?
    let call: Call

    private init<Part: Encodable & Sendable>(
        _ phase: ApplyPhase, of part: @escaping @Sendable (Value) -> Part, _ call: @escaping Call
    ) {
        (self.phase, self.call) = (phase, call)
        self.part = { (try? PrefsValueEncoder().encode(part($0))) ?? nil }
    }

    /// Creates a handler of the whole value from a handler of a part.
    init<Part: Codable & Sendable>(
        _ handler: ApplyHandler<Part>, of part: @escaping @Sendable (Value) -> Part
    ) {
        phase = handler.phase
        self.part = { handler.part(part($0)) }
        call = { old, new in try await handler.call(old.map(part), part(new)) }
    }

    /// Creates a one-phase handler, which switches when it is called.
    init<Part: Encodable & Sendable>(
        of part: @escaping @Sendable (Value) -> Part,
        _ body: @escaping @Sendable (_ old: Part?, _ new: Part) async throws -> Void
    ) {
        self.init(.switching, of: part) { old, new in
            try await body(old.map(part), part(new))
            return nil
        }
    }

    /// Creates a two-phase handler, which prepares when it is called.
    init<Part: Encodable & Sendable, Prepared: Sendable>(
        of part: @escaping @Sendable (Value) -> Part,
        prepare: @escaping @Sendable (_ old: Part?, _ new: Part) async throws -> Prepared,
        commit: @escaping @Sendable (Prepared) async -> Void,
        abort: @escaping @Sendable (Prepared) async -> Void
    ) {
        self.init(.preparing, of: part) { old, new in
            let prepared = try await prepare(old.map(part), part(new))
            return Preparation {
                await commit(prepared)
            } abort: {
                await abort(prepared)
            }
        }
    }

    /// Creates a check of the value as a whole, which prepares nothing.
    init(checking check: @escaping @Sendable (Value) async throws -> Void) {
        self.init(.checking, of: { $0 }) { _, new in
            try await check(new)
            return Preparation {
            } abort: {
            }
        }
    }
}
