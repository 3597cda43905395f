public import LayeredPrefs
public import Logging
import Synchronization

extension PrefsStorage {
    /// Returns a log handler whose level follows a key, so that you can change a daemon's log level without a restart:
    ///
    /// ```swift
    /// LoggingSystem.bootstrap { label in
    ///     storage.bindLogLevel(.level, to: StreamLogHandler.standardError(label: label))
    /// }
    /// ```
    ///
    /// `Logger.Level` is an enum with raw values, so declare the key like any other:
    /// `PersistentKey("log.level", defaultValue: Logger.Level.info)`.
    ///
    /// - Parameters:
    ///   - key: The key of the level.
    ///   - handler: The handler that writes the messages. Its own level is set to `trace`, the lowest.
    public func bindLogLevel(
        _ key: PersistentKey<Logger.Level>, to handler: some LogHandler
    ) -> PrefsLevelLogHandler {
        PrefsLevelLogHandler(level: FollowedLevel(key, in: self), handler: handler)
    }
}

#if Macros
    extension PrefsSchema {
        /// Returns a log handler whose level follows a property of the schema:
        /// `prefs.bindLogLevel(\.log.level, to: StreamLogHandler.standardError(label: label))`.
        ///
        /// - Parameters:
        ///   - level: The property that holds the level.
        ///   - handler: The handler that writes the messages. Its own level is set to `trace`, the lowest.
        public func bindLogLevel(
            _ level: KeyPathOf<Logger.Level>, to handler: some LogHandler
        ) -> PrefsLevelLogHandler {
            storage.bindLogLevel(key(level), to: handler)
        }
    }
#endif

extension Live {
    /// Returns a log handler whose level follows a part of the configuration:
    ///
    /// ```swift
    /// LoggingSystem.bootstrap { label in
    ///     relay.bindLogLevel(\.logLevel, to: StreamLogHandler.standardError(label: label))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - level: The part that holds the level.
    ///   - handler: The handler that writes the messages. Its own level is set to `trace`, the lowest.
    public func bindLogLevel(
        _ level: any KeyPath<Value, Logger.Level> & Sendable, to handler: some LogHandler
    ) -> PrefsLevelLogHandler {
        PrefsLevelLogHandler(level: FollowedLevel(level, of: self), handler: handler)
    }
}

/// A log handler whose level follows a key. You create it with `bindLogLevel(_:to:)`.
///
/// Like other log handlers, it is a value. All copies follow the key, except a copy whose ``logLevel`` was set.
public struct PrefsLevelLogHandler: LogHandler {
    private let level: FollowedLevel
    private var ownLevel: Logger.Level?
    private var handler: any LogHandler

    init(level: FollowedLevel, handler: any LogHandler) {
        self.level = level
        self.handler = handler
        self.handler.logLevel = .trace
    }

    /// The effective value of the key. Reading it takes no mutex.
    ///
    /// If you set it, this logger and later copies of it have that level, and no longer follow the key.
    public var logLevel: Logger.Level {
        get { ownLevel ?? level.current }
        set { ownLevel = newValue }
    }

    public var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    public var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    public func log(event: LogEvent) { handler.log(event: event) }
}

/// The current level of a key.
final class FollowedLevel: Sendable {
    /// The index of the level among all levels. It is in a class of its own, so that the observer does not retain
    /// its observation.
    private final class Cell: Sendable {
        static let unknown = -1
        let index = Atomic<Int>(unknown)
    }

    private let cell = Cell()
    private let observation: PrefsObservation

    init(_ key: PersistentKey<Logger.Level>, in storage: some PrefsStorage) {
        observation = storage.observe(key) { [cell] change in
            cell.index.store(Self.index(of: change.new.value), ordering: .releasing)
        }
        // If the observer has been called already, its value is at least as new as this one.
        _ = cell.index.compareExchange(
            expected: Cell.unknown, desired: Self.index(of: storage.get(key)),
            ordering: .acquiringAndReleasing)
    }

    init<Value>(_ level: any KeyPath<Value, Logger.Level> & Sendable, of live: Live<Value>) {
        observation = live.observe { [cell] _, new in
            cell.index.store(Self.index(of: new[keyPath: level]), ordering: .releasing)
        }
        // As above: the observer's value is at least as new.
        _ = cell.index.compareExchange(
            expected: Cell.unknown, desired: Self.index(of: live.current[keyPath: level]),
            ordering: .acquiringAndReleasing)
    }

    var current: Logger.Level { Self.levels[cell.index.load(ordering: .acquiring)] }

    private static let levels = Logger.Level.allCases

    private static func index(of level: Logger.Level) -> Int { levels.firstIndex(of: level) ?? 0 }
}
