/// Decides when to run something for calls that may follow each other closely, as ``PrefsCoalescing`` describes.
///
/// If a call turns out to have changed nothing, it is taken back, so that it does not delay the next call.
struct Coalescer: Sendable {
    /// The action to take.
    enum Effect: Sendable, Equatable {
        case nothing
        case run
        case wakeAfter(Duration)
    }

    private let coalescing: PrefsCoalescing
    private var lastCall: Duration?
    private var callBefore: Duration?
    /// The latest time when the coalesced calls run; `nil` if there are none.
    private var limit: Duration?

    init(_ coalescing: PrefsCoalescing) { self.coalescing = coalescing }

    mutating func call(at now: Duration) -> Effect {
        defer { (lastCall, callBefore) = (now, lastCall) }
        if limit != nil { return .nothing }
        let isFirst = lastCall.map { now >= $0 + coalescing.window } ?? true
        if isFirst, coalescing.edge == .leading { return .run }
        // At most five windows, so that an endless burst still has runs.
        limit = now + coalescing.window * 5
        return .wakeAfter(coalescing.window)
    }

    /// Takes back a call that changed nothing, unless another call has followed.
    mutating func takeBack(callAt time: Duration) {
        if limit == nil, lastCall == time { lastCall = callBefore }
    }

    mutating func wake(at now: Duration) -> Effect {
        let quiet = (lastCall ?? now) + coalescing.window
        if let limit, now < quiet, now < limit { return .wakeAfter(min(quiet, limit) - now) }
        limit = nil
        return .run
    }
}
