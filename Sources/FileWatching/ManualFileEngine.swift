/// Lets a test decide when a path changes.
///
/// ```swift
/// let engine = ManualFileEngine()
/// let watcher = FileWatcher(engine: .manual(engine))
/// let watch = watcher.watch("/etc/app.plist") { event in … }
/// engine.signal("/etc/app.plist")
/// ```
public final class ManualFileEngine: Sendable, Hashable {
    let hub = WatchHub(.manual)

    /// An engine that nothing is watched with yet.
    public init() {}

    /// Sends an event for `path`, spelled as it was for the watch, on the watcher's thread; returns at once.
    ///
    /// Nothing is waited for and nothing is merged: each call is one callback for each watch of that path.
    public func signal(_ path: String) {
        hub.signal(path)
    }

    /// Whether they are one and the same engine.
    public static func == (left: ManualFileEngine, right: ManualFileEngine) -> Bool {
        left === right
    }

    /// Hashes the engine's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
