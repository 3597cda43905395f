public import PrefsDocuments
/// A named layer of a stack, and the storage that holds its values.
public struct PrefsLayer: Sendable {
    /// The name of a layer, as origins, diagnostics and writes show it.
    public struct Name: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name itself.
        public let description: String

        /// Creates a layer name from a string.
        public init(_ name: String) { description = name }

        /// Creates a layer name from a string literal.
        public init(stringLiteral value: String) { description = value }

        /// Returns the full name of a layer of an inner stack, such as `site.user`. If `inner` is `nil`, returns
        /// this layer's name.
        func qualifying(_ inner: String?) -> String { inner.map { "\(self).\($0)" } ?? description }

        /// Values given in code.
        public static let defaults: Name = "defaults"
        /// Settings made by packages and the system administrator.
        public static let system: Name = "system"
        /// Settings made by the user.
        public static let user: Name = "user"
        /// Environment variables.
        public static let environment: Name = "environment"
        /// Variables in a `.env` file.
        public static let dotEnv: Name = "dotenv"
        /// Command-line arguments.
        public static let arguments: Name = "arguments"
        /// Settings that developers try out. This layer is empty in release builds of this library.
        public static let debug: Name = "debug"
        /// Values set in memory at run time.
        public static let overrides: Name = "overrides"
    }

    /// The layer's name, unique within its stack.
    public let name: Name
    /// The storage that holds the layer's values.
    public let storage: any PrefsStorage
    /// The keys, or prefixes of keys, that higher layers cannot override.
    public var locks: [String] = []
    /// The scope of a rejection: whether an invalid value rejects one key, or everything new in its folder.
    ///
    /// A stack that is a layer first decides on its own layers, by their scopes. This scope applies to all of them
    /// when a key or a rule of the outer stack rejects a value.
    public var rejectionScope: RejectionScope
    /// The storage, if it writes by path.
    let paths: (any PathWritablePrefsStorage)?
    /// The storage, if it is a stack.
    let stack: PrefsStack?
    /// The storage, if its snapshot may be taken while a mutex is held.
    let contents: (any SelfContainedPrefsStorage)?
    /// True if keys are names in the storage, not paths; see ``_PrefsStorageCapabilities``.
    let holdsNames: Bool

    /// Creates a layer from a storage.
    ///
    /// In a release build of this library, a layer named ``Name/debug`` is empty, whatever its storage contains. A
    /// write to the layer returns ``PrefsWriteOutcome/notStored``. Create the layer with ``debug(_:)``, so that a
    /// release build does not even create its storage.
    ///
    /// - Parameters:
    ///   - name: The name of the layer, unique within its stack.
    ///   - storage: The storage that holds the layer's values.
    ///   - locks: Keys, or prefixes of keys, that take their values from this layer or from a lower one.
    ///   - rejectionScope: The scope of a rejection, when a new revision has an invalid value. The default is
    ///     ``RejectionScope/source`` for a layer of files, and ``RejectionScope/key`` for any other layer. A layer
    ///     of files named ``Name/user`` has the scope ``RejectionScope/key``, too.
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

    /// A layer of overrides in memory, which is empty at first.
    public static var overrides: PrefsLayer {
        PrefsLayer(.overrides, DictionaryPrefsStorage())
    }

    /// A layer of the environment variables whose names begin with `prefix`.
    public static func environment(prefix: String) -> PrefsLayer {
        PrefsLayer(.environment, EnvironmentPrefsStorage(prefix: prefix))
    }

    /// A layer of the variables in the `.env` file at `path` whose names begin with `prefix`.
    ///
    /// The file is watched. ``EnvironmentPrefsStorage/DotEnv`` describes its syntax. Put this layer below
    /// ``environment(prefix:)``, so that the variables of the process take precedence.
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
    /// - Parameter style: The syntax of arguments that set keys: `--set http.port=9090` or `--http-port 9090`.
    public static func arguments(style: ArgumentsPrefsStorage.Style) -> PrefsLayer {
        PrefsLayer(.arguments, ArgumentsPrefsStorage(style: style))
    }

    /// Returns a layer for settings that developers try out. It exists only in debug builds of this library.
    ///
    /// ```swift
    /// let storage = PrefsStack {
    ///     PrefsLayer(.user, .file(at: "settings.toml"))
    ///     PrefsLayer.debug(.file(at: "debug.toml"))
    /// }
    /// ```
    ///
    /// In a debug build, a write goes to this layer only if you pass `in: .debug`.
    ///
    /// A release build does not evaluate the argument, so no file is opened, watched or reported. If you create
    /// the storage before the call, it is neither read nor written. The layer is then empty, and a write to it
    /// returns ``PrefsWriteOutcome/notStored``.
    ///
    /// - Parameter storage: The storage that holds the layer's values, such as a file.
    public static func debug(_ storage: @autoclosure () throws -> any PrefsStorage) rethrows -> PrefsLayer {
        #if DEBUG
            PrefsLayer(.debug, try storage())
        #else
            PrefsLayer(.debug, EmptyPrefsStorage())
        #endif
    }

    /// Returns true if a write names the layer `debug`, and this build does not have it.
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

        /// Concatenates the layers in the order of the source code.
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

/// The scope of a rejection: how much a running program rejects when a new revision has an invalid value.
public enum RejectionScope: Sendable {
    /// Everything new in a source. The program keeps its previous revision.
    ///
    /// The source is a layer, or one of the folders of a ``SystemPrefsStorage``: its main file and its drop-ins
    /// are accepted or rejected together.
    case source
    /// The key with the invalid value. It keeps its previous value in the layer, or has none if it had none, and
    /// the other new values become active.
    case key
}
