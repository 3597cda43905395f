/// Where a ``FileWatcher`` learns that files change.
///
/// All engines promise the same; polling is only slower to notice.
public struct FileWatcherEngine: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case automatic, kernel, inotifyTools, polling
        case manual(ManualFileEngine)
    }

    let kind: Kind

    /// The best there is: libinotifytools if built with the trait `InotifyTools` and if it can be owned
    /// safely, else the kernel's inotify, else polling.
    public static let automatic = FileWatcherEngine(kind: .automatic)
    /// The kernel's inotify; polling on other systems.
    public static let kernel = FileWatcherEngine(kind: .kernel)
    /// libinotifytools. The kernel's inotify where the package was built without the trait `InotifyTools`,
    /// or where somebody else in the process uses the library, or it could not have a descriptor below 1000.
    public static let inotifyTools = FileWatcherEngine(kind: .inotifyTools)
    /// Looks at every path several times a second, less often if they are many.
    public static let polling = FileWatcherEngine(kind: .polling)
    /// No files at all: a test says when something happens.
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
