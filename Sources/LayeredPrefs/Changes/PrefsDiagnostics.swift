public import PrefsDocuments

import PrefsSystem

/// Something that an administrator should know: a broken file, a refused value, and that it recovered.
public struct PrefsDiagnostic: Sendable, Hashable {
    /// How much it matters.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// What was wrong is right again.
        case recovered
        /// Worth mending; nothing is refused because of it.
        case warning
        /// A value or a file is not in force because of it.
        case error
    }

    public var severity: Severity
    /// What happened and where.
    public var error: PrefsError

    public init(_ severity: Severity, _ error: PrefsError) {
        self.severity = severity
        self.error = error
    }
}

extension PrefsDiagnostic: CustomStringConvertible {
    /// One line: `error: user /home/ada/.config/myd.plist:4: http.port: expected an integer, found …`.
    public var description: String { "\(severity.rawValue): \(error)" }
}

/// Where diagnostics go: to whoever subscribes, else to standard error, one line each.
///
/// Each bad version of a file or value is told once, and once more when it recovers. Subscribers are called
/// on the thread that found the problem, which may be any; a subscriber must not wait for a storage.
public final class PrefsDiagnostics: Sendable {
    /// The destination of every storage that is not given one.
    public static let shared = PrefsDiagnostics()

    private struct State {
        var subscribers: [UInt64: @Sendable (PrefsDiagnostic) -> Void] = [:]
        var nextID: UInt64 = 0
    }

    private let state = Lock(State())

    public init() {}

    /// A destination that calls `body` with every diagnostic for as long as it lives.
    public convenience init(_ body: @escaping @Sendable (PrefsDiagnostic) -> Void) {
        self.init()
        state.withLock { $0.subscribers[0] = body }
    }

    /// Calls `body` with every diagnostic until the observation is cancelled or released; while anybody
    /// subscribes, nothing is printed.
    public func subscribe(_ body: @escaping @Sendable (PrefsDiagnostic) -> Void) -> PrefsObservation {
        let id = state.withLock { state in
            state.nextID += 1
            state.subscribers[state.nextID] = body
            return state.nextID
        }
        return PrefsObservation { [weak self] in
            let removed = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
            _ = removed
        }
    }

    /// The diagnostics as a sequence, from now on; a consumer that falls behind loses none.
    public var stream: AsyncStream<PrefsDiagnostic> {
        let (stream, continuation) = AsyncStream<PrefsDiagnostic>.makeStream()
        let subscription = subscribe { continuation.yield($0) }
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// Tells the subscribers; a storage of your own reports its problems here.
    public func report(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError) {
        let diagnostic = PrefsDiagnostic(severity, error)
        let subscribers = state.withLock { Array($0.subscribers.values) }
        if subscribers.isEmpty { return Self.print(diagnostic) }
        for subscriber in subscribers { subscriber(diagnostic) }
    }

    private static func print(_ diagnostic: PrefsDiagnostic) {
        // One write per line, so that the lines of several threads or processes do not mix.
        var line = Array("\(diagnostic)".utf8.map { $0 < 0x20 ? UInt8(ascii: " ") : $0 })
        line.append(UInt8(ascii: "\n"))
        unsafe line.withUnsafeBytes { bytes in
            _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}
