import PrefsSystem

/// The way in which edits of files that follow each other closely are combined into one change.
///
/// Edits made while 10 ms or less apart, with a window of 50 ms:
///
/// | edits at            | ``leadingEdge(_:)`` reads at | ``trailingEdge(_:)`` reads at |
/// |---------------------|------------------------------|-------------------------------|
/// | 0 ms                | 0 ms                         | 50 ms                         |
/// | 0, 10, 20 ms        | 0, 70 ms                     | 70 ms                         |
/// | 0, 10, 20 … 400 ms  | 0, 260, 450 ms               | 250, 450 ms                   |
///
/// The last read always begins after the last edit, so nothing is lost. Writes by this process are never
/// delayed.
public struct PrefsCoalescing: Sendable, Hashable {
    enum Edge: Sendable, Hashable {
        case leading
        case trailing
    }

    let window: Duration
    let edge: Edge

    /// The first edit after a quiet period takes effect immediately; further ones take effect together once
    /// none has followed for `window`, or after five windows at the latest. A burst of edits is at most two
    /// changes.
    public static func leadingEdge(_ window: Duration) -> PrefsCoalescing {
        PrefsCoalescing(window: window.clamped, edge: .leading)
    }

    /// All edits, the first one included, take effect together once none has followed for `window`, or after
    /// five windows at the latest. A burst of edits is one change.
    public static func trailingEdge(_ window: Duration) -> PrefsCoalescing {
        PrefsCoalescing(window: window.clamped, edge: window > .zero ? .trailing : .leading)
    }

    /// Every edit takes effect immediately.
    public static let immediate = leadingEdge(.zero)

    /// The leading edge of 50 ms.
    public static let standard = leadingEdge(.milliseconds(50))
}
