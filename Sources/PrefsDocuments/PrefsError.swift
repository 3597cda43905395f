public import FoundationEssentials

/// The error that this library throws.
///
/// Its ``description`` is one line that an administrator can act on: the place, the key, the problem.
public struct PrefsError: Error, Sendable, Hashable {
    /// The kind of failure, for code that branches on it.
    public var code: Code
    /// The key that the error concerns.
    public var key: String?
    /// The layer, file and position at which the error occurred.
    public var origin: PrefsOrigin?
    /// The `errno` of the system call that failed, if one did.
    public var errno: CInt?
    /// The problem in words: what was found and what was expected.
    public var reason: String
    /// The error of each problem, this one among them, if several were found together; otherwise empty.
    public var related: [PrefsError] = []

    /// Creates an error.
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
    /// The kinds of failure. Codes may be added, so a `switch` needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code's name: `syntax`, `tooLarge`.
        public let description: String
        /// The code as a number, which is the same in every version: `NSError.code` in Foundation.
        public let number: Int

        private init(_ name: String, _ number: Int) {
            description = name
            self.number = number
        }

        /// The text does not follow its format.
        ///
        /// **To do:** Correct the file at the line and column that the message names; until then its last
        /// good contents are effective.
        public static let syntax = Code("syntax", 1)
        /// A size, depth or count exceeds its limit.
        ///
        /// **To do:** Make the file smaller, or have the program raise the limit (``PrefsLimits``).
        public static let tooLarge = Code("tooLarge", 2)
        /// The file exists but cannot be read.
        ///
        /// **To do:** Grant the program's user the permission to read the file and to search its folders;
        /// the message contains the system's reason.
        public static let unreadable = Code("unreadable", 3)
        /// The path names a folder, device, pipe or socket.
        ///
        /// **To do:** Put a file in its place, or give the program another path.
        public static let notARegularFile = Code("notARegularFile", 4)
        /// The file's owner or mode violates the reader's policy, or lets other users read a secret.
        ///
        /// **To do:** Remove the permission with `chmod`, or change the owner with `chown`, as the message says.
        public static let untrusted = Code("untrusted", 5)
        /// The stored value's type is not one that the key accepts.
        ///
        /// **To do:** Correct the value in the place that the message names; until then a running program
        /// keeps what was in force, and one that starts uses the next lower acceptable value.
        public static let wrongType = Code("wrongType", 6)
        /// The value has the right type but fails the key's validation.
        ///
        /// **To do:** Choose a value that the message names as allowed; until then a running program
        /// keeps what was in force, and one that starts uses the next lower acceptable value.
        public static let invalid = Code("invalid", 7)
        /// The value has no stored form in the key's coding or in the file's format.
        ///
        /// **To do:** Store another value, or use a format or a coding that can hold it; nothing has been
        /// written.
        public static let notEncodable = Code("notEncodable", 8)
        /// The system denied a write: permissions, a full disk, a quota.
        ///
        /// **To do:** Free space, or grant the permission; the message contains the system's reason, and
        /// the file is unchanged.
        public static let unwritable = Code("unwritable", 9)
        /// A write has been made, and is effective, but a crash of the system may undo it.
        ///
        /// **To do:** Check the disk; the message contains the system's reason.
        public static let notDurable = Code("notDurable", 20)
        /// A storage has accepted a write, but its contents are not those that the write leads to.
        ///
        /// **To do:** Correct the storage; the checks of `PrefsStorageContract` find the cause.
        public static let unconfirmed = Code("unconfirmed", 21)
        /// The storage, or every layer of the stack, is read-only.
        ///
        /// **To do:** Add a layer that is writable to the stack, or name one with `in:` or `--to`.
        public static let notWritable = Code("notWritable", 10)
        /// The existing file is broken, and a write does not overwrite contents that it cannot read.
        ///
        /// **To do:** Correct the file, for example with `prefs edit`. To start a new file instead, and keep the broken one
        /// under another name, run `prefs repair`, or call `repair(in:)` of the stack.
        public static let broken = Code("broken", 11)
        /// A lock below the target layer covers the key.
        ///
        /// **To do:** Ask the administrator; `prefs locks` names the file that locks the key.
        public static let locked = Code("locked", 12)
        /// Another writer held the file lock for too long.
        ///
        /// **To do:** Repeat the write; if it fails again, find the process that holds the file lock with
        /// `fuser`.
        public static let busy = Code("busy", 13)
        /// The requested item does not exist.
        ///
        /// **To do:** Check the spelling of the layer, key or file.
        public static let missing = Code("missing", 14)
        /// This storage or format does not support the operation.
        ///
        /// **To do:** Use another storage, format or form of the edit, as the message says.
        public static let unsupported = Code("unsupported", 15)
        /// The task was cancelled.
        ///
        /// **To do:** None; the program ended the task that waited.
        public static let cancelled = Code("cancelled", 16)
        /// A file or variable sets a key that no schema declares.
        ///
        /// **To do:** Correct the spelling, to the suggested key if there is one, or remove the key.
        public static let unknownKey = Code("unknownKey", 17)
        /// Two files of one name in different formats exist in one place.
        ///
        /// **To do:** Remove one of the two files that the message names; until then the last good contents
        /// are effective, and writes throw this error.
        public static let ambiguous = Code("ambiguous", 18)
        /// The command line sets an unknown key, or a value that its key rejects.
        ///
        /// **To do:** Correct the argument that the message names; the program has not started.
        public static let usage = Code("usage", 19)
    }
}

extension PrefsError: CustomStringConvertible {
    /// The error on one line, with control characters escaped:
    /// `/etc/xdg/com.example.myd.plist:12:5: http.port: expected an integer, found the string "many"`.
    ///
    /// Without a file, the place includes the spelling if it is not the key: `environment MYD_HTTP_PORT`.
    public var description: String {
        let spelling = origin?.file == nil && origin?.spelling != key ? origin?.spelling?.printable : nil
        let place = [origin?.description, spelling].compactMap(\.self).filter { !$0.isEmpty }
        return [place.isEmpty ? nil : place.joined(separator: " "), key?.printable, reason.printable]
            .compactMap(\.self).joined(separator: ": ")
    }
}

extension PrefsError {
    /// Every problem: the ``related`` ones, or this error if it is the only one.
    public var problems: [PrefsError] { related.isEmpty ? [self] : related }

    /// Creates the error of several problems, which is the first one; returns `nil` if there is none.
    package init?(_ problems: [PrefsError]) {
        guard var first = problems.first else { return nil }
        if problems.count > 1 { first.related = problems }
        self = first
    }

    /// The status with which a program exits that cannot start because of the error: 64, `EX_USAGE` of `sysexits.h`,
    /// if the command line is wrong, also in one of several ``related`` problems, and 1 otherwise.
    public var exitStatus: CInt { ([self] + related).contains(where: \.isOfCommandLine) ? 64 : 1 }

    private var isOfCommandLine: Bool { code == .usage || origin?.layer == "arguments" }
}

extension PrefsError: LocalizedError {
    /// The same sentence as ``description``, so that `localizedDescription` names the file, the line and the
    /// key.
    public var errorDescription: String? { description }
}

// What Foundation's `NSError` shows of an error.
extension PrefsError {
    /// The domain of the error in Foundation.
    public var _domain: String { "LayeredPrefs.PrefsError" }

    /// The number of the error in Foundation: ``Code/number``.
    public var _code: Int { code.number }
}
