public import FoundationEssentials
public import LayeredPrefs

/// The contract that every ``PrefsStorage`` fulfils, as a list of named checks for authors of storages.
///
/// The checks need no test library. With Swift Testing, pass them as the arguments of a test:
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
/// With XCTest, loop over ``checks``. Each check makes its own storage, waits for events with a deadline, and throws
/// ``PrefsStorageViolation`` if its rule is violated.
public enum PrefsStorageContract {
    /// One rule of the contract.
    public struct Check: Sendable, Hashable, Identifiable, CustomStringConvertible {
        /// The rule as a sentence, which also identifies the check.
        public let id: String
        let body: @Sendable (Trial) async throws -> Void

        /// The rule as a sentence.
        public var description: String { id }

        init(_ rule: String, _ body: @escaping @Sendable (Trial) async throws -> Void) {
            id = rule
            self.body = body
        }

        /// Makes one or more storages, and checks the rule on them.
        ///
        /// - Parameters:
        ///   - deadline: The maximum time to wait for an event.
        ///   - make: Makes a new storage with the given contents, which shares no state with earlier storages. The
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

        /// Compares two checks by their rules.
        public static func == (lhs: Check, rhs: Check) -> Bool { lhs.id == rhs.id }

        /// Hashes the rule.
        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// All checks.
    ///
    /// A check passes if the storage lacks the capability that it tests. If the storage cannot be written, the checks
    /// of writing test that writes throw.
    public static var checks: [Check] { reading + writing + notifying + threads }
}

/// A storage to check, with access to the data behind it.
public struct PrefsStorageSubject: Sendable {
    /// The storage to check.
    public var storage: any PrefsStorage

    /// Opens another storage on the same data, as a restart would. It is required if the storage is persistent.
    public var reopen: (@Sendable () async throws -> any PrefsStorage)?

    /// Replaces the contents without the storage, as another program would. The storage must notice the change
    /// automatically or on ``PrefsStorage/reload()``.
    public var edit: (@Sendable ([String: PrefsValue]) async throws -> Void)?

    /// An object to keep alive while the storage is checked, such as a ``PrefsSandbox``.
    public var place: (any Sendable)?

    /// Whether a key with dots is one name instead of a path. A write then replaces nothing above or below it.
    public var keysAreLiteral = false

    /// Whether the storage keeps only whole seconds of a date, as an XML property list does.
    public var roundsDates = false

    /// Creates a subject. Omit the parameters that the storage does not support.
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

/// The error that a check throws if a storage violates a rule of its contract.
public struct PrefsStorageViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The violated rule.
    public var rule: String
    /// The difference between the expected and the actual behaviour.
    public var reason: String

    /// The rule and the reason.
    public var description: String { "\(rule): \(reason)" }
}

extension PrefsStorageViolation: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
