public import PrefsDocuments
/// One layer of a stack: a name and the storage behind it.
public struct PrefsLayer: Sendable {
    /// What the layer is called in provenance, diagnostics and when a write names it.
    public struct Name: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        public let description: String

        public init(_ name: String) { description = name }

        public init(stringLiteral value: String) { description = value }

        /// Values given in code.
        public static let defaults: Name = "defaults"
        /// What the system's administrator and its packages set.
        public static let system: Name = "system"
        /// What the user set.
        public static let user: Name = "user"
        /// Environment variables.
        public static let environment: Name = "environment"
        /// Command-line arguments.
        public static let arguments: Name = "arguments"
        /// A layer that development builds have and release builds do not.
        public static let debug: Name = "debug"
        /// Values set at run time that end with the process.
        public static let overrides: Name = "overrides"
    }

    public let name: Name
    public let storage: any PrefsStorage
    /// Keys that the layers above this one cannot change.
    public var locks: [String] = []
    /// The storage as what writes by path, and as a stack, where it is that.
    let paths: (any PathWritablePrefsStorage)?
    let stack: LayeredPrefsStorage?

    /// A layer of any storage; one that is called ``Name/debug`` is empty and takes no writes in a release build
    /// of this library, whatever the storage does.
    ///
    /// - Parameters:
    ///   - name: Unique within its stack.
    ///   - locks: Keys, or prefixes of keys, whose values come from this layer or from beneath it.
    public init(_ name: Name, _ storage: any PrefsStorage, locking locks: [String] = []) {
        let storage = name == .debug ? Self.inDevelopment(storage) : storage
        self.name = name
        self.storage = storage
        self.locks = locks
        paths = storage.innermost as? any PathWritablePrefsStorage
        stack = storage.innermost as? LayeredPrefsStorage
    }

    private static func inDevelopment(_ storage: any PrefsStorage) -> any PrefsStorage {
        #if DEBUG
            storage
        #else
            EmptyPrefsStorage()
        #endif
    }
}

extension PrefsLayer {
    /// Defaults given in code.
    public static func defaults(_ values: [String: PrefsValue], locking locks: [String] = []) -> PrefsLayer {
        PrefsLayer(.defaults, DictionaryPrefsStorage(values: values), locking: locks)
    }

    /// Overrides in memory, empty to begin with.
    public static var overrides: PrefsLayer {
        PrefsLayer(.overrides, DictionaryPrefsStorage())
    }

    /// Environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> PrefsLayer {
        PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: prefix))
    }

    /// `--set key=value` on this process's command line.
    public static var arguments: PrefsLayer {
        PrefsLayer(.arguments, ArgumentsPrefsStorage())
    }

    /// Values that exist only in development builds of this library.
    public static func debug(_ storage: any PrefsStorage) -> PrefsLayer { PrefsLayer(.debug, storage) }
}

/// A storage with nothing in it, for ever.
final class EmptyPrefsStorage: PrefsStorage {
    private let changes = PrefsChangeSource()

    var snapshot: PrefsSnapshot { PrefsSnapshot() }

    var changeSource: PrefsChangeSource? { changes }
}

/// Lists a stack's layers from the lowest to the highest.
@resultBuilder
public enum PrefsLayerBuilder {
    public static func buildExpression(_ layer: PrefsLayer) -> [PrefsLayer] { [layer] }

    public static func buildExpression(_ layers: [PrefsLayer]) -> [PrefsLayer] { layers }

    public static func buildBlock(_ layers: [PrefsLayer]...) -> [PrefsLayer] { layers.flatMap(\.self) }

    public static func buildOptional(_ layers: [PrefsLayer]?) -> [PrefsLayer] { layers ?? [] }

    public static func buildEither(first layers: [PrefsLayer]) -> [PrefsLayer] { layers }

    public static func buildEither(second layers: [PrefsLayer]) -> [PrefsLayer] { layers }

    public static func buildArray(_ layers: [[PrefsLayer]]) -> [PrefsLayer] { layers.flatMap(\.self) }
}
