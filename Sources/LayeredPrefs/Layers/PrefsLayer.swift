public import PrefsDocuments
/// One layer of a stack: a name and the storage behind it.
public struct PrefsLayer: Sendable {
    /// The name by which origins, diagnostics and writes refer to a layer.
    public struct Name: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name itself.
        public let description: String

        /// Creates a layer name from a string.
        public init(_ name: String) { description = name }

        /// Creates a layer name from a string literal.
        public init(stringLiteral value: String) { description = value }

        /// Returns the name of a layer within the stack that is this layer; that of this layer itself if it is no stack.
        func qualifying(_ inner: String?) -> String { inner.map { "\(self).\($0)" } ?? description }

        /// Values given in code.
        public static let defaults: Name = "defaults"
        /// Settings made by packages and the system administrator.
        public static let system: Name = "system"
        /// Settings made by the user.
        public static let user: Name = "user"
        /// Environment variables.
        public static let environment: Name = "environment"
        /// A `.env` file.
        public static let dotEnv: Name = "dotenv"
        /// Command-line arguments.
        public static let arguments: Name = "arguments"
        /// Settings that developers try out; empty in release builds of this library.
        public static let debug: Name = "debug"
        /// Values set in memory at run time.
        public static let overrides: Name = "overrides"
    }

    /// The layer's name, unique within its stack.
    public let name: Name
    /// The storage that holds the layer's values.
    public let storage: any PrefsStorage
    /// Keys, or prefixes of keys, that the layers above this one cannot override.
    public var locks: [String] = []
    /// What is rejected together when a new revision has an invalid value.
    public var rejectionScope: RejectionScope
    /// The storage as one that writes by path, if it is one.
    let paths: (any PathWritablePrefsStorage)?
    /// The storage as a stack, if it is one.
    let stack: PrefsStack?
    /// The storage as one whose snapshot may be taken while a mutex is held, if it is one.
    let contents: (any SelfContainedPrefsStorage)?
    /// True if keys are names in the storage, and not paths; see ``_PrefsStorageCapabilities``.
    let holdsNames: Bool

    /// Creates a layer from a storage.
    ///
    /// In a release build of this library a layer named ``Name/debug`` is empty, whatever its storage contains; a write to it
    /// returns ``PrefsWriteOutcome/notStored``. Create it with ``debug(_:)``, so that a release build has no such storage.
    ///
    /// - Parameters:
    ///   - name: Unique within its stack.
    ///   - storage: The storage that holds the layer's values.
    ///   - locks: Keys, or prefixes of keys, whose values come from this layer or from one below it.
    ///   - rejectionScope: What is rejected together when a new revision has an invalid value. By default ``RejectionScope/source``
    ///     for a layer of files that is not named ``Name/user``, and ``RejectionScope/key`` for any other layer.
    public init(
        _ name: Name, _ storage: any PrefsStorage, locking locks: [String] = [],
        rejectionScope: RejectionScope? = nil
    ) {
        let storage = name == .debug ? Self.inDevelopment(storage) : storage
        self.name = name
        self.storage = storage
        self.locks = locks
        let capabilities = storage._capabilities
        self.rejectionScope =
            rejectionScope ?? (capabilities.isInFiles && name != .user ? .source : .key)
        paths = capabilities.paths
        stack = capabilities.storage as? PrefsStack
        contents = capabilities.contents
        holdsNames = capabilities.holdsNames
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
    /// A layer of defaults given in code.
    public static func defaults(_ values: [String: PrefsValue], locking locks: [String] = []) -> PrefsLayer {
        PrefsLayer(.defaults, DictionaryPrefsStorage(values: values), locking: locks)
    }

    /// An initially empty layer of overrides in memory.
    public static var overrides: PrefsLayer {
        PrefsLayer(.overrides, DictionaryPrefsStorage())
    }

    /// A layer of the environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> PrefsLayer {
        PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: prefix))
    }

    /// A layer of the variables in the `.env` file at `path` whose names begin with `prefix`; the file is watched.
    ///
    /// ``EnvironmentPrefsStorage/DotEnv`` describes the syntax. Put it below ``environment(prefix:)``, whose
    /// variables then take precedence.
    public static func dotEnv(
        at path: String, prefix: String, options: FilePrefsStorage.Options = FilePrefsStorage.Options()
    ) -> PrefsLayer {
        PrefsLayer(.dotEnv, EnvironmentPrefsStorage.DotEnv(path: path, prefix: prefix, options: options))
    }

    /// A layer of the `--set key=value` arguments on this process's command line.
    public static var arguments: PrefsLayer {
        PrefsLayer(.arguments, ArgumentsPrefsStorage())
    }

    /// Returns a layer of the arguments on this process's command line.
    ///
    /// - Parameter style: The way in which they set keys: `--set http.port=9090` or `--http-port 9090`.
    public static func arguments(style: ArgumentsPrefsStorage.Style) -> PrefsLayer {
        PrefsLayer(.arguments, ArgumentsPrefsStorage(style: style))
    }

    /// A layer in which developers try out settings, and which exists only in debug builds of this library.
    ///
    /// ```swift
    /// let storage = PrefsStack {
    ///     PrefsLayer(.user, .file(at: "settings.toml"))
    ///     PrefsLayer.debug(.file(at: "debug.toml"))
    /// }
    /// ```
    ///
    /// A release build does not evaluate the argument: no file is opened, watched or reported. (A storage that was created
    /// before the call is neither read nor written.) Its layer is empty, and a write to it returns
    /// ``PrefsWriteOutcome/notStored``. In a debug build, too, only a write with `in: .debug` goes to the layer.
    ///
    /// - Parameter storage: The storage that holds the layer's values, such as a file.
    public static func debug(_ storage: @autoclosure () throws -> any PrefsStorage) rethrows -> PrefsLayer {
        #if DEBUG
            PrefsLayer(.debug, try storage())
        #else
            PrefsLayer(.debug, EmptyPrefsStorage())
        #endif
    }

    /// Returns true if a write names the layer that this build does not have.
    static func isLeftOut(_ name: Name?) -> Bool { name == .debug && !DebugKeys.areMutable }
}

/// A read-only storage that is always empty.
final class EmptyPrefsStorage: SelfContainedPrefsStorage {
    private let changes = PrefsChangeSource()

    var snapshot: PrefsSnapshot { PrefsSnapshot() }

    var changeSource: PrefsChangeSource? { changes }
}

extension PrefsLayer {
    /// A result builder that lists a stack's layers from the lowest to the highest.
    @resultBuilder
    public enum Builder {
        /// Accepts a single layer.
        public static func buildExpression(_ layer: PrefsLayer) -> [PrefsLayer] { [layer] }

        /// Accepts an array of layers.
        public static func buildExpression(_ layers: [PrefsLayer]) -> [PrefsLayer] { layers }

        /// Concatenates the layers in the order in which they are written.
        public static func buildBlock(_ layers: [PrefsLayer]...) -> [PrefsLayer] { layers.flatMap(\.self) }

        /// Accepts an `if` without an `else`.
        public static func buildOptional(_ layers: [PrefsLayer]?) -> [PrefsLayer] { layers ?? [] }

        /// Accepts the first branch of an `if` or `switch`.
        public static func buildEither(first layers: [PrefsLayer]) -> [PrefsLayer] { layers }

        /// Accepts the second branch of an `if` or `switch`.
        public static func buildEither(second layers: [PrefsLayer]) -> [PrefsLayer] { layers }

        /// Accepts a `for` loop.
        public static func buildArray(_ layers: [[PrefsLayer]]) -> [PrefsLayer] { layers.flatMap(\.self) }
    }
}

/// What a running program rejects together, when a new revision of a layer has an invalid value.
public enum RejectionScope: Sendable {
    /// All files of the layer that changed together: the program keeps the previous version of each of them.
    case source
    /// One key: it keeps the previous value that the layer had, and the other new values take effect.
    case key
}
