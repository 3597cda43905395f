import CPrefsSystem
import FoundationEssentials
import PrefsDocuments
import PrefsSystem

/// The validators and computed defaults that are running on this thread, each with the key it belongs to; the
/// innermost comes first.
///
/// They may read other keys, whose validators and defaults run in turn, and so a key can come to depend on
/// itself. Such a call ends at the fourth nested one of the same kind for the same key, so that it does not
/// use up the stack. The links are in the callers' frames, so a chain allocates nothing.
@safe struct CallChain {
    enum Kind {
        case validation
        case defaultValue
    }

    private static let limit = 4

    private let key: String
    private let kind: Kind
    private let next: UnsafePointer<CallChain>?

    /// Runs `body`, or returns `nil` if it would be nested in itself too deeply.
    static func run<Result>(_ kind: Kind, of key: String, _ body: () -> Result) -> Result? {
        let chain = unsafe ps_call_chain()?.assumingMemoryBound(to: CallChain.self)
        if let chain = unsafe chain, unsafe chain.pointee.depth(of: kind, key) >= limit { return nil }
        let link = unsafe CallChain(key: key, kind: kind, next: chain)
        return unsafe withUnsafePointer(to: link) { link in
            unsafe ps_set_call_chain(link)
            defer { unsafe ps_set_call_chain(chain) }
            return body()
        }
    }

    private func depth(of kind: Kind, _ key: String) -> Int {
        var depth = self.kind == kind && self.key == key ? 1 : 0
        var link = unsafe next
        while let present = unsafe link {
            if unsafe present.pointee.kind == kind, unsafe present.pointee.key == key { depth += 1 }
            unsafe link = present.pointee.next
        }
        return depth
    }
}

extension PersistentKeyProtocol {
    /// Returns the reason for which the key's validation rejects a value; `nil` if it accepts it.
    ///
    /// A validation that, by reading other keys, comes to depend on itself accepts the innermost value.
    func complaint(about value: Value) -> String? {
        guard !isPlain, let validate = traits.validate else { return nil }
        return CallChain.run(.validation, of: id) { validate(value) } ?? nil
    }
}

/// The result of a default that depends on itself.
enum CircularDefault {
    /// The keys that have been reported. A program has few such defaults, and each is read often.
    private static let reported = Lock<Set<String>>([])

    /// Reports the key, and returns the empty value of its type.
    static func value<Value>(of key: String, _ coding: any PrefsValueCoding<Value>) -> Value {
        if reported.withLock({ $0.insert(key).inserted }) {
            let reason = "the default depends on itself; within itself it is the empty value of its type"
            PrefsDiagnostics.shared.report(.error, PrefsError(.invalid, key: key, reason: reason))
        }
        if let type = Value.self as? any ExpressibleByNilLiteral.Type,
            let none = type.init(nilLiteral: ()) as? Value
        {
            return none
        }
        let empty: [PrefsValue] = [
            .bool(false), .integer(0), .real(0), .string(""), .array([]), .dictionary([:]), .data(Data()),
        ]
        for stored in empty {
            if let value = coding.decode(stored) { return value }
        }
        // A mistake of the program that no file can cause: without this end, the default would call itself until
        // the stack overflows, and there is no value of this type that could be returned instead.
        preconditionFailure("the default of “\(key)” depends on itself, and its type has no empty value")
    }
}
