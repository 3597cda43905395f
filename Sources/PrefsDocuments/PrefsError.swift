/// The one error this library throws.
///
/// Its ``description`` is one line that an administrator can act on: the place, the key, what is wrong.
public struct PrefsError: Error, Sendable, Hashable {
    /// What went wrong, for code that decides.
    public var code: Code
    /// The key it went wrong for.
    public var key: String?
    /// The layer, file and position it went wrong at.
    public var origin: PrefsOrigin?
    /// The system call's error, when one failed.
    public var errno: CInt?
    /// What is wrong, in words: what was found, what was expected.
    public var reason: String
    /// Where several keys were refused together, the error of each.
    public var related: [PrefsError] = []

    public init(
        _ code: Code,
        key: String? = nil,
        origin: PrefsOrigin? = nil,
        errno: CInt? = nil,
        reason: String
    ) {
        self.code = code
        self.key = key
        self.origin = origin
        self.errno = errno
        self.reason = reason
    }
}

extension PrefsError {
    /// Why an operation failed. More codes may come.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Name: String {
            case syntax, tooLarge, unreadable, notARegularFile, untrusted, wrongType, invalid, notEncodable
            case unwritable, notWritable, broken, locked, busy, missing, unsupported, cancelled, unknownKey
        }

        private let name: Name

        private init(_ name: Name) { self.name = name }

        /// The text is not what its format asks for.
        public static let syntax = Code(.syntax)
        /// A size, depth or count exceeds its limit.
        public static let tooLarge = Code(.tooLarge)
        /// The file exists and cannot be read.
        public static let unreadable = Code(.unreadable)
        /// The path names a folder, device, pipe or socket.
        public static let notARegularFile = Code(.notARegularFile)
        /// The file's owner or mode breaks the reader's policy.
        public static let untrusted = Code(.untrusted)
        /// The stored value has a type that the key does not take.
        public static let wrongType = Code(.wrongType)
        /// The value has the right type and fails the key's validation.
        public static let invalid = Code(.invalid)
        /// The value has no stored form under the key's coding, or none in the file's format.
        public static let notEncodable = Code(.notEncodable)
        /// The system refused a write: permissions, a full disk, a quota.
        public static let unwritable = Code(.unwritable)
        /// The storage, or every layer of the stack, takes no writes.
        public static let notWritable = Code(.notWritable)
        /// The file is broken, and a write does not overwrite what it cannot read.
        public static let broken = Code(.broken)
        /// A lock beneath the layer written to holds the key.
        public static let locked = Code(.locked)
        /// Somebody else kept the file's lock for too long.
        public static let busy = Code(.busy)
        /// What was asked for does not exist.
        public static let missing = Code(.missing)
        /// This storage or format cannot do what was asked.
        public static let unsupported = Code(.unsupported)
        /// The task was cancelled.
        public static let cancelled = Code(.cancelled)

        /// A file or variable sets a key that no schema declares.
        public static let unknownKey = Code(.unknownKey)

        public var description: String { name.rawValue }
    }
}

extension PrefsError: CustomStringConvertible {
    /// `/etc/xdg/com.example.myd.plist:12:5: http.port: expected an integer, found the string "many"`.
    public var description: String {
        let place = origin.map(\.description).flatMap { $0.isEmpty ? nil : $0 }
        return [place, key, reason].compactMap(\.self).joined(separator: ": ")
    }
}
