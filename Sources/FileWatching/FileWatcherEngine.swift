/// The mechanism that tells a ``FileWatcher`` about changes.
///
/// All engines give the same guarantees. Polling only takes longer to send an event.
public struct FileWatcherEngine: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case automatic, kernel, inotifyTools, polling
        case manual(ManualFileEngine)
    }

    let kind: Kind

    /// The best available engine.
    ///
    /// It is libinotifytools if the package was built with the trait `InotifyTools` and the library can be used safely.
    /// Otherwise it is the kernel's inotify, or polling if inotify is not available.
    public static let automatic = FileWatcherEngine(kind: .automatic)
    /// The kernel's inotify. It falls back to polling while inotify cannot be opened.
    public static let kernel = FileWatcherEngine(kind: .kernel)
    /// The library libinotifytools. It falls back to the kernel's inotify in these cases:
    ///
    /// - The package was built without the trait `InotifyTools`.
    /// - Other code in the process uses the library.
    /// - No descriptor below 1000 is free.
    /// - For a single path, all threads are in callbacks, and no thread can be created to call the library.
    public static let inotifyTools = FileWatcherEngine(kind: .inotifyTools)
    /// Polling of every path, several times a second, or less often if there are many paths.
    public static let polling = FileWatcherEngine(kind: .polling)
    /// Returns an engine that ignores the file system, so that a test decides when an event is sent.
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
