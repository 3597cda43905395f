public import FoundationEssentials

/// The error type of this library.
///
/// Its ``description`` is one line that an administrator can act on: the place, the key and the problem.
public struct PrefsError: Error, Sendable, Hashable {
    /// The kind of failure. Use it to branch on errors.
    public var code: Code
    /// The key that the error concerns.
    public var key: String?
    /// The layer, file and position where the error occurred.
    public var origin: PrefsOrigin?
    /// The `errno` of the failed system call, if a system call failed.
    public var errno: CInt?
    /// A description of the problem: the expected value or condition, and the actual one.
    public var reason: String
    /// All problems that were found together, including this one. Empty if there is only one problem.
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
    /// A kind of failure. Later versions may add codes, so a `switch` needs a `default`.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The name of the code, such as `syntax` or `tooLarge`.
        public let description: String
        /// The number of the code, which is `NSError.code` in Foundation. It is the same in every version.
        public let number: Int

        private init(_ name: String, _ number: Int) {
            description = name
            self.number = number
        }

        /// The text does not follow the syntax of its format.
        ///
        /// **To do:** Fix the file at the line and column that the message names. Until then, the program keeps the
        /// previous version.
        public static let syntax = Code("syntax", 1)
        /// A size, depth or count exceeds its limit.
        ///
        /// **To do:** Make the file smaller, or have the program raise the limit (``PrefsLimits``).
        public static let tooLarge = Code("tooLarge", 2)
        /// The file exists but cannot be read.
        ///
        /// **To do:** Give the program's user permission to read the file and to search its folders. The message
        /// contains the system's reason.
        public static let unreadable = Code("unreadable", 3)
        /// The path names a folder, device, pipe or socket.
        ///
        /// **To do:** Put a file in its place, or give the program another path.
        public static let notARegularFile = Code("notARegularFile", 4)
        /// The file's owner or mode violates the reader's policy, or lets other users read a secret.
        ///
        /// **To do:** Remove the permission with `chmod`, or change the owner with `chown`, as the message says.
        public static let untrusted = Code("untrusted", 5)
        /// The key does not accept a value of the stored type.
        ///
        /// **To do:** Fix the value at the place that the message names. Until then, a running program keeps the
        /// previous value. At the start, `Live` throws; keys and schemas use the next lower acceptable value.
        public static let wrongType = Code("wrongType", 6)
        /// The value has the right type but fails the key's validation.
        ///
        /// **To do:** Choose a value that the message names as allowed. Until then, a running program keeps the
        /// previous value. At the start, `Live` throws; keys and schemas use the next lower acceptable value.
        public static let invalid = Code("invalid", 7)
        /// The value has no stored form in the key's coding or in the file's format.
        ///
        /// **To do:** Store another value, or use a format or a coding that can hold it. Nothing has been written.
        public static let notEncodable = Code("notEncodable", 8)
        /// The system denied a write: permissions, a full disk, a quota.
        ///
        /// **To do:** Free space, or grant the permission. The message contains the system's reason. The file is
        /// unchanged.
        public static let unwritable = Code("unwritable", 9)
        /// A write has been made and is active, but a crash of the system may undo it.
        ///
        /// **To do:** Check the disk. The message contains the system's reason.
        public static let notDurable = Code("notDurable", 20)
        /// A storage has accepted a write, but does not contain the written value afterwards.
        ///
        /// **To do:** Fix the storage. The checks of `PrefsStorageContract` find the cause.
        public static let unconfirmed = Code("unconfirmed", 21)
        /// The program's `apply` handlers have to accept the value first, and a single write does not wait for them.
        ///
        /// **To do:** In the program, call `update` of the `Live` instead of `set`. Or edit the file.
        public static let undecided = Code("undecided", 22)
        /// The storage, or every layer of the stack, is read-only.
        ///
        /// **To do:** Add a writable layer to the stack, or name one with `in:` or `--to`.
        public static let notWritable = Code("notWritable", 10)
        /// The existing file is broken, and a write does not overwrite contents that it cannot read.
        ///
        /// **To do:** Fix the file, for example with `prefs edit`. To start a new file and keep the broken one
        /// under another name, run the `prefs repair` command that the message contains, or call `repair(in:)`
        /// of the stack.
        public static let broken = Code("broken", 11)
        /// A key lock below the target layer covers the key.
        ///
        /// **To do:** Ask the administrator. `prefs locks` names the file that locks the key.
        public static let locked = Code("locked", 12)
        /// Something else took too long: another writer, another commit, or the program's own code.
        ///
        /// **To do:** Try again. If that fails, check the file or the code that the message names. For a file
        /// lock, `fuser` shows which process holds it.
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
        /// **To do:** Nothing. The program ended the waiting task.
        public static let cancelled = Code("cancelled", 16)
        /// A file or variable sets a key that no schema declares.
        ///
        /// **To do:** Fix the spelling, with the suggested key if there is one, or remove the key.
        public static let unknownKey = Code("unknownKey", 17)
        /// Two files of the same name exist in one place, in different formats.
        ///
        /// **To do:** Remove one of the two files that the message names. Until then, the program keeps the
        /// previous version, and writes throw this error.
        public static let ambiguous = Code("ambiguous", 18)
        /// The command line sets an unknown key, or a value that its key rejects.
        ///
        /// **To do:** Fix the argument that the message names. The program has not started.
        public static let usage = Code("usage", 19)
    }
}

extension PrefsError: CustomStringConvertible {
    /// The error on one line, with control characters escaped:
    /// `/etc/xdg/com.example.myd.plist:12:5: http.port: expected an integer, found the string "many"`.
    ///
    /// Without a file, the place includes the layer's spelling of the key if the two differ:
    /// `environment MYD_HTTP_PORT`.
    public var description: String {
        let spelling = origin?.file == nil && origin?.spelling != key ? origin?.spelling?.printable : nil
        let place = [origin?.description, spelling].compactMap(\.self).filter { !$0.isEmpty }
        return [place.isEmpty ? nil : place.joined(separator: " "), key?.printable, reason.printable]
            .compactMap(\.self).joined(separator: ": ")
    }
}

extension PrefsError {
    /// Every problem: the ``related`` ones, or this error if it is the only problem.
    public var problems: [PrefsError] { related.isEmpty ? [self] : related }

    /// Creates one error from several problems: the first one, with all of them as ``related``. Returns `nil` if
    /// there are no problems.
    package init?(_ problems: [PrefsError]) {
        guard var first = problems.first else { return nil }
        if problems.count > 1 { first.related = problems }
        self = first
    }

    /// The exit status for a program that cannot start because of this error.
    ///
    /// It is 64 (`EX_USAGE` of `sysexits.h`) if the command line is wrong, even if only one of several ``related``
    /// problems concerns it. Otherwise it is 1.
    public var exitStatus: CInt { ([self] + related).contains(where: \.isOfCommandLine) ? 64 : 1 }

    private var isOfCommandLine: Bool { code == .usage || origin?.layer == "arguments" }
}

extension PrefsError: LocalizedError {
    /// The same sentence as ``description``. It makes `localizedDescription` name the file, the line and the key.
    public var errorDescription: String? { description }
}

// The domain and the code that Foundation's `NSError` reports.
extension PrefsError {
    /// The error's domain in Foundation.
    public var _domain: String { "LayeredPrefs.PrefsError" }

    /// The error's number in Foundation: ``Code/number``.
    public var _code: Int { code.number }
}
