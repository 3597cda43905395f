/// An engine that lets a test decide when a path changes.
///
/// ```swift
/// let engine = ManualFileEngine()
/// let watcher = FileWatcher(engine: .manual(engine))
/// let watch = watcher.watch("/etc/app.plist") { event in … }
/// engine.signal("/etc/app.plist")
/// ```
public final class ManualFileEngine: Sendable, Hashable {
    let hub = WatchHub(nil)

    /// Creates an engine without watches.
    public init() {}

    /// Sends an event for `path` on a thread of this package, and returns immediately.
    ///
    /// Spell `path` as you did for the watch. Events are neither delayed nor merged: each call results in one
    /// callback for each watch of that path.
    public func signal(_ path: String) {
        hub.signal(path)
    }

    /// Compares two engines by identity.
    public static func == (left: ManualFileEngine, right: ManualFileEngine) -> Bool {
        left === right
    }

    /// Hashes the engine's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
