/// The mechanism by which a ``FileWatcher`` learns of changes.
///
/// All engines make the same guarantees; polling is only slower to event.
public struct FileWatcherEngine: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case automatic, kernel, inotifyTools, polling
        case manual(ManualFileEngine)
    }

    let kind: Kind

    /// The best available engine: libinotifytools if the package was built with the trait `InotifyTools` and
    /// the library can be used safely, else the kernel's inotify, else polling.
    public static let automatic = FileWatcherEngine(kind: .automatic)
    /// The kernel's inotify; polling while that cannot be opened.
    public static let kernel = FileWatcherEngine(kind: .kernel)
    /// libinotifytools. Falls back to the kernel's inotify if the package was built without the trait
    /// `InotifyTools`, if other code in the process uses the library, if no descriptor below 1000 is free, or, for
    /// a single path, if no thread can be created to call the library and all are in callbacks.
    public static let inotifyTools = FileWatcherEngine(kind: .inotifyTools)
    /// Polling of every path, several times a second or less often if there are many.
    public static let polling = FileWatcherEngine(kind: .polling)
    /// Returns an engine that ignores the file system: a test decides when an event is sent.
    public static func manual(_ engine: ManualFileEngine) -> FileWatcherEngine {
        FileWatcherEngine(kind: .manual(engine))
    }

    /// The name of the engine.
    public var description: String {
        switch kind {
        case .automatic: "automatic"
        case .kernel: "kernel"
        case .inotifyTools: "inotifyTools"
        case .polling: "polling"
        case .manual: "manual"
        }
    }
}
