public import PrefsDocuments

package import PrefsSystem

/// A message for the administrator: a broken file, a rejected value, or the recovery of either.
public struct PrefsDiagnostic: Sendable, Hashable {
    /// The severity of a diagnostic.
    public enum Severity: String, Sendable, Hashable, CaseIterable {
        /// An earlier error has been resolved.
        case recovered
        /// Something should be corrected, but no value or file is rejected because of it.
        case warning
        /// A problem that keeps a value or a file from taking effect.
        case error
    }

    /// The severity.
    public var severity: Severity
    /// The problem and its location.
    public var error: PrefsError

    /// Creates a diagnostic.
    public init(_ severity: Severity, _ error: PrefsError) {
        self.severity = severity
        self.error = error
    }
}

extension PrefsDiagnostic: CustomStringConvertible {
    /// The diagnostic as one line:
    /// `error: user /home/ada/.config/myd.plist:4: http.port: expected an integer, found …`.
    public var description: String { "\(severity.rawValue): \(error)" }
}

/// A destination for diagnostics.
///
/// Subscribers receive every diagnostic. If there are no subscribers, each diagnostic is printed to standard
/// error as one line.
///
/// Each bad version of a file or value is reported once, and so is its recovery. A report follows the publication
/// of the contents that it is about, and the reports arrive in the order of the versions.
///
/// Subscribers are called with no mutex held, and may use any storage. They are called on the thread that
/// found the problem, or on a thread that is still reporting an earlier problem.
public final class PrefsDiagnosticHandler: Sendable {
    /// The destination that storages use by default.
    public static let shared = PrefsDiagnosticHandler()

    private let subscribers: CallbackList<PrefsDiagnostic>
    /// The observers, which do not silence standard error.
    private let observers = CallbackList<PrefsDiagnostic>()
    /// The first errors that were printed, up to a limit.
    private let printed = Lock<[PrefsError]>([])
    /// The diagnostics that wait for the first subscriber; `nil` if diagnostics are not held.
    private let waiting = Lock<[PrefsDiagnostic]?>(nil)
    /// The diagnostics of the start that will be printed soon.
    private let unprinted = Lock<[PrefsDiagnostic]>([])
    /// The destination that receives all diagnostics of this one, and the layer that they concern; `nil` if
    /// there is none.
    private let target: (diagnostics: PrefsDiagnosticHandler, layer: String)?

    /// Creates a destination without subscribers.
    public init() { (subscribers, target) = (CallbackList(), nil) }

    /// Creates a destination that calls `body` with every diagnostic, for as long as the destination exists.
    public init(_ body: @escaping @Sendable (PrefsDiagnostic) -> Void) {
        (subscribers, target) = (CallbackList(body), nil)
    }

    private init(to target: PrefsDiagnosticHandler, layer: String) {
        self.target = (target, layer)
        subscribers = CallbackList { target.report($0.severity, $0.error.naming(layer: layer)) }
    }

    /// Creates a destination that holds its diagnostics for the first subscriber.
    ///
    /// Use it if your program creates its logger after its storage, because the storage contains the log
    /// level. The first subscriber receives the held diagnostics before any others. If nobody ever
    /// subscribes, the held diagnostics are printed when the destination is released. At most 1,000
    /// diagnostics are held; further ones are printed immediately.
    public static func held() -> PrefsDiagnosticHandler {
        let diagnostics = PrefsDiagnosticHandler()
        diagnostics.waiting.withLock { $0 = [] }
        return diagnostics
    }

    deinit { for diagnostic in waiting.withLock({ $0 }) ?? [] { Self.print(diagnostic) } }

    /// Calls `body` with every diagnostic until the observation is cancelled or released.
    ///
    /// Nothing is printed while there is a subscriber.
    public func subscribe(_ body: @escaping @Sendable (PrefsDiagnostic) -> Void) -> PrefsObservation {
        while true {
            // A diagnostic that is reported while the subscriber receives the held ones is held, too.
            let (held, subscription) = waiting.withLock { waiting in
                let held = waiting ?? []
                waiting = held.isEmpty ? nil : []
                return (held, held.isEmpty ? subscribers.add(body) : nil)
            }
            for diagnostic in held { body(diagnostic) }
            if let subscription {
                printAll()
                return subscription
            }
        }
    }

    /// Holds a diagnostic for the first subscriber. Returns false if diagnostics are not held, or if too many
    /// are held already.
    private func hold(_ diagnostic: PrefsDiagnostic) -> Bool {
        waiting.withLock { waiting in
            guard let held = waiting, held.count < 1000 else { return false }
            waiting = held + [diagnostic]
            return true
        }
    }

    /// Calls `body` with every diagnostic until the observation is cancelled or released. The observer is not
    /// a subscriber: if there are no subscribers, diagnostics are still printed.
    package func observe(_ body: @escaping @Sendable (PrefsDiagnostic) -> Void) -> PrefsObservation {
        observers.add(body)
    }

    /// An asynchronous sequence of the diagnostics from now on.
    ///
    /// Each access creates a new stream, which is a subscriber. The stream's buffer has no limit, so no
    /// diagnostic is lost.
    public var stream: AsyncStream<PrefsDiagnostic> {
        let (stream, continuation) = AsyncStream<PrefsDiagnostic>.makeStream()
        let subscription = subscribe { continuation.yield($0) }
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }

    /// Reports a diagnostic to the subscribers, or to standard error if there are none.
    ///
    /// A storage of your own reports its problems with this method.
    public func report(_ severity: PrefsDiagnostic.Severity, _ error: PrefsError) {
        printAll()
        let diagnostic = PrefsDiagnostic(severity, error)
        if !hold(diagnostic), !subscribers.call(with: diagnostic) {
            Self.print(diagnostic)
            if severity == .error { notePrinted(error) }
        }
        observers.call(with: diagnostic)
    }

    /// Reports a diagnostic of the start. It is not printed at once, because the program may be about to
    /// create a configuration that throws the same error, or to subscribe a logger.
    func reportSoon(_ diagnostic: PrefsDiagnostic) {
        if let (diagnostics, layer) = target {
            return diagnostics.reportSoon(
                PrefsDiagnostic(diagnostic.severity, diagnostic.error.naming(layer: layer)))
        }
        if waiting.withLock({ $0 != nil }) || !subscribers.isEmpty {
            return report(diagnostic.severity, diagnostic.error)
        }
        let isFirst = unprinted.withLock { unprinted in
            unprinted.append(diagnostic)
            return unprinted.count == 1
        }
        if isFirst, !UnprintedReports.add(self) { printAll() }
    }

    /// Reports the diagnostics that wait to be printed soon.
    func printAll() {
        let all = unprinted.withLock { unprinted in
            defer { unprinted = [] }
            return unprinted
        }
        if all.isEmpty { return }
        UnprintedReports.remove(self)
        for diagnostic in all { report(diagnostic.severity, diagnostic.error) }
    }

    /// Forgets held and unprinted errors, because the program is about to receive them from the creation of a
    /// configuration, which throws them.
    func withdraw(_ errors: [PrefsError]) {
        let isThrown = { (diagnostic: PrefsDiagnostic) in
            diagnostic.severity == .error && errors.contains { $0.isSameInPlace(as: diagnostic.error) }
        }
        waiting.withLock { $0?.removeAll(where: isThrown) }
        unprinted.withLock { $0.removeAll(where: isThrown) }
        UnprintedReports.remove(self)
        printAll()
    }

    /// Returns a destination that passes everything on to this one. If an error's place has no layer, it adds
    /// the layer, because the storage of a file does not know its layer.
    func naming(layer: String) -> PrefsDiagnosticHandler {
        PrefsDiagnosticHandler(to: self, layer: layer)
    }

    private func notePrinted(_ error: PrefsError) {
        printed.withLock { if $0.count < PrefsLimits.reports { $0.append(error) } }
    }

    /// Returns true if an error is known to have been printed, perhaps without its layer.
    func hasPrinted(_ error: PrefsError) -> Bool {
        printed.withLock { printed in printed.contains { $0.isSameInPlace(as: error) } }
    }

    private static func print(_ diagnostic: PrefsDiagnostic) {
        // One write per line, so that the lines of several threads or processes do not mix.
        let line = Array("\(diagnostic)\n".utf8)
        unsafe line.withUnsafeBytes { bytes in
            _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        }
    }
}

extension PrefsDiagnosticHandler {
    /// Returns the absolute path that a path has at this moment, because the process may change its working
    /// directory later, as a daemon does.
    ///
    /// If the working directory has no path, for example because it has been removed, this reports the
    /// problem and returns the path as it is.
    package func absolutePath(of path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") { return path }
        do throws(Errno) {
            return try WorkingDirectory.current.absolute(path)
        } catch {
            report(.error, .relativePath(path, error))
            return path
        }
    }

    /// Runs `body` and reports an error it throws, for calls that cannot throw.
    package func reporting(key: String?, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            report(.error, PrefsError(error, key: key))
        }
    }
}

extension PrefsError {
    /// Returns the error with a layer if its place has none.
    func naming(layer: String?) -> PrefsError {
        var error = self
        if error.origin?.layer == nil { error.origin?.layer = layer }
        return error
    }

    /// Returns true if both are the same problem in the same place. One of them may not know its layer.
    fileprivate func isSameInPlace(as other: PrefsError) -> Bool {
        key == other.key && reason == other.reason && origin?.file == other.origin?.file
            && origin?.position == other.origin?.position
    }

    /// Creates the error of a path that is relative to a working directory without a path.
    package static func relativePath(_ path: String, _ error: Errno) -> PrefsError {
        PrefsError(
            .unreadable, origin: PrefsOrigin(file: path), errno: error.code,
            reason: """
                the path is relative, and the working directory cannot be determined: \(error.text); give an \
                absolute path
                """)
    }

    /// Creates an error from another error. The result names `key` if that error names no key.
    package init(_ error: any Error, key: String?) {
        self = error as? PrefsError ?? PrefsError(.notEncodable, reason: "\(error)")
        self.key = self.key ?? key
    }
}
