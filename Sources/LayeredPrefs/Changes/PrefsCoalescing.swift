import PrefsSystem

/// A policy that combines edits of files into one change if they follow each other closely.
///
/// The following table shows when the files are read if the window is 50 ms:
///
/// | edits at            | ``leadingEdge(_:)`` reads at | ``trailingEdge(_:)`` reads at |
/// |---------------------|------------------------------|-------------------------------|
/// | 0 ms                | 0 ms                         | 50 ms                         |
/// | 0, 10, 20 ms        | 0, 70 ms                     | 70 ms                         |
/// | 0, 10, 20 … 400 ms  | 0, 260, 450 ms               | 250, 450 ms                   |
///
/// The last read always begins after the last edit, so no edit is lost. Writes by this process are never
/// delayed.
public struct PrefsCoalescing: Sendable, Hashable {
    enum Edge: Sendable, Hashable {
        case leading
        case trailing
    }

    let window: Duration
    let edge: Edge

    /// Returns a policy that applies the first edit after a quiet period immediately, and later edits together.
    ///
    /// The later edits take effect once no edit has followed for `window`, or after five windows at the
    /// latest. A burst of edits that is shorter than five windows is at most two changes.
    public static func leadingEdge(_ window: Duration) -> PrefsCoalescing {
        PrefsCoalescing(window: window.clamped, edge: .leading)
    }

    /// Returns a policy that applies all edits together, including the first one.
    ///
    /// The edits take effect once no edit has followed for `window`, or after five windows at the latest. A
    /// burst of edits that is shorter than five windows is one change.
    public static func trailingEdge(_ window: Duration) -> PrefsCoalescing {
        PrefsCoalescing(window: window.clamped, edge: window > .zero ? .trailing : .leading)
    }

    /// The policy that applies every edit immediately.
    public static let immediate = leadingEdge(.zero)

    /// The leading-edge policy with a window of 50 ms.
    public static let standard = leadingEdge(.milliseconds(50))
}
