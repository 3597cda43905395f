public import LayeredPrefs

/// What every ``PrefsStorage`` must hold: a list of named checks, for whoever writes a storage.
///
/// It needs no test library; with Swift Testing the checks are the rows of a table:
///
/// ```swift
/// @Test(arguments: PrefsStorageContract.checks)
/// func keepsTheContract(_ check: PrefsStorageContract.Check) async throws {
///     try await check.run { content in
///         PrefsStorageSubject(MyStorage(content))
///     }
/// }
/// ```
///
/// With XCTest, loop over ``checks``. Each check makes its own storage, waits for events with a deadline,
/// and throws ``PrefsStorageViolation``.
public enum PrefsStorageContract {
    /// One rule of the contract.
    public struct Check: Sendable, Hashable, Identifiable, CustomStringConvertible {
        /// The rule as a sentence; it is also the check's identity.
        public let id: String
        let body: @Sendable (Trial) async throws -> Void

        /// The rule.
        public var description: String { id }

        init(_ rule: String, _ body: @escaping @Sendable (Trial) async throws -> Void) {
            id = rule
            self.body = body
        }

        /// Makes a storage, or several, and checks the rule on it.
        ///
        /// - Parameters:
        ///   - deadline: How long to wait for an event.
        ///   - make: Makes a new storage that holds these contents and shares nothing with those made before. The
        ///     contents are strings only, under plain names.
        /// - Throws: ``PrefsStorageViolation``; or what `make` throws.
        public func run(
            within deadline: Duration = .seconds(10),
            _ make: @escaping @Sendable (_ content: [String: PrefsValue]) async throws -> PrefsStorageSubject
        ) async throws {
            let trial = Trial(rule: id, deadline: deadline, make: make)
            defer { withExtendedLifetime(trial) {} }
            try await body(trial)
        }

        public static func == (lhs: Check, rhs: Check) -> Bool { lhs.id == rhs.id }

        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    /// Every rule. A rule of what a storage does not do — writing, announcing, lasting — checks that it says
    /// so.
    public static var checks: [Check] { reading + writing + telling + threads }
}

/// A storage to be checked, and how to reach what lies behind it.
public struct PrefsStorageSubject: Sendable {
    /// The storage.
    public var storage: any PrefsStorage

    /// Another storage over the same place, as a restart would make it; needed where the storage is
    /// persistent.
    public var reopen: (@Sendable () async throws -> any PrefsStorage)?

    /// Makes these the contents behind the storage's back, as another program would; the storage then hears of
    /// it by itself or by ``PrefsStorage/recheck()``.
    public var edit: (@Sendable ([String: PrefsValue]) async throws -> Void)?

    /// What keeps the place in being, such as a ``PrefsSandbox``.
    public var place: (any Sendable)?

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

/// A storage broke a rule of its contract.
public struct PrefsStorageViolation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule.
    public var rule: String
    /// What was found and what was expected.
    public var reason: String

    /// The rule and what was found.
    public var description: String { "\(rule): \(reason)" }
}
