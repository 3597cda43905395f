import PrefsDocuments
import PrefsSystem

/// The validators, computed defaults and codings that are running on this thread, each with the key it
/// belongs to; the innermost comes first.
///
/// They may read other keys, whose validators, defaults and codings run in turn, and so a key can come to
/// depend on itself. Such a call ends at the fourth nested one of the same kind for the same key, so that it
/// does not use up the stack. The links are in the callers' frames, so a chain allocates nothing.
@usableFromInline @safe struct CallChain {
    @usableFromInline enum Kind: Sendable {
        case validation
        case defaultValue
        case decoding
        case encoding
    }

    private static let limit = 4

    /// True if any of them is running. A value that is read then may differ from the one that the rest of the
    /// program reads, and must not be cached.
    static var isActive: Bool { unsafe ps_call_chain() != nil }

    private let key: String
    private let kind: Kind
    private let next: UnsafePointer<CallChain>?

    @usableFromInline init(key: String, kind: Kind) {
        unsafe (self.key, self.kind, next) = (
            key, kind, ps_call_chain()?.assumingMemoryBound(to: CallChain.self)
        )
    }

    /// True if the call would be nested in itself too deeply.
    @usableFromInline var isTooDeep: Bool {
        var depth = 0
        var link = unsafe next
        while let outer = unsafe link {
            if unsafe outer.pointee.kind == kind, unsafe outer.pointee.key == key { depth += 1 }
            unsafe link = outer.pointee.next
        }
        return depth >= Self.limit
    }

    /// Makes this the innermost call, until ``end()``.
    @usableFromInline static func begin(_ link: UnsafePointer<CallChain>) { unsafe ps_set_call_chain(link) }

    @usableFromInline func end() { unsafe ps_set_call_chain(next) }

    /// Runs `body`, or returns `nil` if it would be nested in itself too deeply.
    @inlinable @inline(__always)
    static func run<Result>(_ kind: Kind, of key: String, _ body: () -> Result) -> Result? {
        let link = CallChain(key: key, kind: kind)
        if link.isTooDeep { return nil }
        return unsafe withUnsafePointer(to: link) { link in
            unsafe begin(link)
            defer { unsafe link.pointee.end() }
            return body()
        }
    }

    /// Runs a part of decoding a key's value, or returns `nil` and reports the mistake if the key's coding has
    /// read the key itself.
    @inlinable @inline(__always)
    static func decoding<Result>(_ key: String, _ body: () -> Result) -> Result? {
        if let result = run(.decoding, of: key, body) { return result }
        CircularCall.report(.decoding, of: key)
        return nil
    }

    /// Returns true, and reports the mistake, if the key's coding has read the key itself as deeply as it
    /// may.
    static func isCircular(decoding key: String) -> Bool {
        guard isActive, CallChain(key: key, kind: .decoding).isTooDeep else { return false }
        CircularCall.report(.decoding, of: key)
        return true
    }
}

extension PrefsMismatch {
    /// The mismatch of a value whose coding reads the key itself.
    static var circular: PrefsMismatch {
        PrefsMismatch(expected: "a value whose coding does not read the key that it decodes")
    }
}

/// The reports of keys that depend on themselves.
@usableFromInline enum CircularCall {
    /// The keys that have been reported. A program has few of them, and each is read often.
    private static let reported = Lock<[CallChain.Kind: Set<String>]>([:])

    @usableFromInline static func report(_ kind: CallChain.Kind, of key: String) {
        guard reported.withLock({ $0[kind, default: []].insert(key).inserted }) else { return }
        let reason =
            switch kind {
            case .decoding:
                "the coding reads the key that it decodes; within itself the key has its default value"
            default: "the default depends on itself; within itself it is the empty value of its type"
            }
        PrefsDiagnosticHandler.shared.report(.error, PrefsError(.invalid, key: key, reason: reason))
    }
}
