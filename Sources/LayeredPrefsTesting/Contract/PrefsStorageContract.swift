public import FoundationEssentials
public import LayeredPrefs

/// The contract of every ``PrefsStorage``: a list of named checks, for authors of storages.
///
/// The checks need no test library. With Swift Testing, they are the arguments of a test:
///
/// ```swift
/// @Test(arguments: PrefsStorageContract.checks)
/// func `satisfies the contract`(_ check: PrefsStorageContract.Check) async throws {
///     try await check.run { content in
///         PrefsStorageSubject(MyStorage(content))
///     }
/// }
/// ```
///
/// With XCTest, loop over ``checks``. Each check makes its own storage, waits for events with a deadline, and
/// throws ``PrefsStorageViolation`` if its rule is violated.
public enum PrefsStorageContract {
    /// One rule of the contract.
    public struct Check: Sendable, Hashable, Identifiable, CustomStringConvertible {
        /// The rule as a sentence, which is also the identity of the check.
        public let id: String
        let body: @Sendable (Trial) async throws -> Void

        /// The rule as a sentence.
        public var description: String { id }

        init(_ rule: String, _ body: @escaping @Sendable (Trial) async throws -> Void) {
            id = rule
            self.body = body
        }

        /// Makes one or more storages and checks the rule on them.
        ///
        /// - Parameters:
        ///   - deadline: The maximum time to wait for an event.
        ///   - make: Makes a new storage that holds these contents and shares no state with earlier ones. The
        ///     contents are only strings, under plain names.
        /// - Throws: ``PrefsStorageViolation``, and the errors of `make` and of the storage.
        public func run(
            within deadline: Duration = .seconds(10),
            _ make: @escaping @Sendable (_ content: [String: PrefsValue]) async throws -> PrefsStorageSubject
        ) async throws {
            let trial = Trial(rule: id, deadline: deadline, make: make)
            defer { withExtendedLifetime(trial) {} }
            try await body(trial)
        }

        /// Returns true if both checks have the same rule.
        public static func == (lhs: Check, rhs: Check) -> Bool { lhs.id == rhs.id }

        /// Hashes the rule.
        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// All checks.
    ///
    /// The checks of a capability that a storage lacks pass; those of writing then check that writes throw.
    public static var checks: [Check] { reading + writing + notifying + threads }
}

/// A storage to check, with access to the data behind it.
public struct PrefsStorageSubject: Sendable {
    /// The storage to check.
    public var storage: any PrefsStorage

    /// Opens another storage on the same data, as a restart would; required if the storage is persistent.
    public var reopen: (@Sendable () async throws -> any PrefsStorage)?

    /// Replaces the contents without the storage, as another program would; the storage must then notice the
    /// change by itself or on ``PrefsStorage/reload()``.
    public var edit: (@Sendable ([String: PrefsValue]) async throws -> Void)?

    /// An object to retain while the storage is checked, such as a ``PrefsSandbox``.
    public var place: (any Sendable)?

    /// True if a key is one name, whatever dots it has, and not a path; a write then replaces nothing above or below it.
    public var keysAreLiteral = false

    /// True if the storage keeps only whole seconds of a date, as an XML property list does.
    public var roundsDates = false

    /// Creates a subject; omit what the storage does not support.
    public init(
        _ storage: any PrefsStorage,
        place: (any Sendable)? = nil,
        reopen: (@Sendable () async throws -> any PrefsStorage)? = nil,
        edit: (@Sendable ([String: PrefsValue]) async throws -> Void)? = nil
    ) {
        self.storage = storage
        self.place = place
        self.reopen = reopen
        self.edit = edit
    }
}

/// The error for a storage that violates a rule of its contract.
public struct PrefsStorageViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The violated rule.
    public var rule: String
    /// The difference between what was found and what was expected.
    public var reason: String

    /// The rule and the reason.
    public var description: String { "\(rule): \(reason)" }
}

extension PrefsStorageViolation: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
