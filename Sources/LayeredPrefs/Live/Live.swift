import PrefsDocuments
import PrefsSystem

/// A live configuration: one `Codable` struct that is always valid, and that follows its files.
///
/// ```swift
/// struct Relay: Codable, Sendable {
///     var listen = Listener()
///     @Setting("Connections to accept", in: 1...10_000) var limit = 512
///     @Setting(secret: true, required: true) var token = ""
/// }
///
/// let relay = try Live(Relay(), storage)          // throws every problem at once
/// relay.current.limit
/// for await next in relay.updates { … }
/// let listening = relay.apply(\.listen) { old, new in try await server.rebind(new) }
/// try await relay.update { $0.limit = 100 }
/// ```
///
/// The defaults in your type are the lowest layer, and any layer of the stack may set any field.
///
/// If an edit makes a value invalid, the whole edit is rejected. In the user's file, only the invalid value is
/// rejected. ``current`` stays valid, and the diagnostics name the file, line and key. Your program can reject an
/// edit, too; see ``apply(_:_:)``.
///
/// One stack can have several configurations, at different paths. To give a module its own section, use
/// ``part(_:at:)``.
///
/// If the default isolation of your target is the main actor, declare the type and its sections `nonisolated struct`.
///
/// All methods are safe to call from any thread. To end the configuration, release the object and its parts. Its
/// fields are then ordinary keys of the stack.
public final class Live<Value: Codable & Sendable>: Sendable {
    /// The stack that the values come from. Use it for the origins of values, for locks, and to write single keys.
    public let storage: PrefsStack

    let content: any Configuration<Value>
    @usableFromInline let decoded = DecodedValueCache<Value>()
    @usableFromInline let changes: PrefsChangeSource

    /// Creates a configuration that follows a stack.
    ///
    /// - Parameters:
    ///   - defaults: The default instance. It also tells the fields and their options.
    ///   - storage: The stack that the values come from.
    ///   - path: The path of the configuration in the stack, such as `plugin.foo`, or the empty string for the root.
    ///   - named: The options of fields that cannot have the wrapper ``Setting``, by path. They replace the options of
    ///     a wrapper.
    ///   - startContents: The settings to start with if the files are invalid. For a daemon's stack with
    ///     `$STATE_DIRECTORY`, the default is ``StartContents/lastAccepted(in:includingSecrets:)``. For any other
    ///     stack, it is ``StartContents/files``.
    ///   - rule: Throws if the value as a whole is invalid. It is called on any thread that commits a change. It may
    ///     read, but not write.
    /// - Throws: ``PrefsError``: the first problem, with all problems in ``PrefsError/problems``, each with file, line
    ///   and key. It also throws if the type is not suitable, or if another configuration of the stack declares one of
    ///   the fields. An invalid argument on the command line comes first, with the ``PrefsError/exitStatus`` 64. At
    ///   the root of a stack, so does an argument that nothing declares. So create the configurations at other paths
    ///   before the one at the root.
    public init(
        _ defaults: Value, _ storage: PrefsStack, at path: String = "",
        fields named: [String: FieldOptions] = [:], startWith startContents: StartContents? = nil,
        rule: @escaping @Sendable (Value) throws -> Void = { _ in }
    ) throws {
        self.storage = storage
        changes = storage.isAnnounced ? storage.changes : .withoutCaching
        var fields = try ConfigurationFields(defaults, at: path, named: named, rule: rule)
        fields.writtenFile = storage.writeTarget?.writtenFile
        let names = fields.names
        let arguments = path.isEmpty ? storage.unknownArguments(declaring: names) : []
        let keeper = StartKeeper.of(storage, startContents ?? storage.startContents.withLock { $0 })
        var problems =
            arguments
            + fields.problems(of: storage, at: storage.snapshot)
            .without(arguments)
        if !problems.isEmpty, arguments.isEmpty, let keeper {
            storage.note(names)
            let snapshot = storage.snapshot
            let canStart = keeper.start(
                because: problems, locating: { fields.located($0, in: snapshot) },
                if: { fields.areRight(in: $0, of: storage, restoring: $1) })
            if canStart { problems = [] }
        }
        let error = PrefsError(fields.placed(problems, in: storage.snapshot))
        storage.diagnostics.withdraw(error?.problems ?? [])
        if let error { throw error }
        let snapshot = storage.snapshot
        fields = fields.started(with: snapshot)
        let value = try fields.value(in: snapshot).get()
        let handlers = ApplyHandlers<Value>(fields: fields, storage: storage, active: value)
        let checkID = try storage.addCheck(
            CandidateCheck(
                of: fields.paths, decider: handlers,
                start: { [fields] in fields.beforeStart.start(with: $0, keeper) }
            ) { [fields] candidate, active, dirty, _ in
                let changed = fields.touched(by: dirty)
                if changed.isEmpty { return [] }
                fields.decode(candidate, since: active, reading: changed)
                let found = fields.problemsOfWhole(in: candidate)
                if found.isEmpty { return [] }
                return found.without(fields.problemsOfWhole(in: active))
                    .map { .init(place: .values(fields.names), error: fields.located($0, in: candidate)) }
            })
        // All names at once. Otherwise, each of the declarations below would cause a commit.
        storage.note(names)
        for field in fields.fields { storage.declare(field.key) }
        storage.note(fields.elements)
        storage.declare(names)
        // Contents that were committed before the check was added are not checked yet.
        let present = storage.snapshot
        if present.generation != snapshot.generation {
            if let error = PrefsError(fields.placed(fields.problems(in: present), in: present)) {
                storage.removeCheck(checkID)
                throw error
            }
            handlers.start(with: try fields.value(in: present).get())
        }
        let saving = keeper.map { keeper in
            keeper.noteStart()
            return storage.observe([PrefsPath(components: [])]) { _ in keeper.save() }
        }
        content = WholeConfiguration(fields, handlers, of: storage, changes, checkID: checkID, saving)
        for warning in fields.warnings { storage.diagnostics.report(.warning, warning) }
        // The configuration at the root is created last.
        if path.isEmpty { UnknownKeysAtExit.add(storage) }
    }

    /// Creates a configuration that follows a stack, with an asynchronous check for problems that the values alone do
    /// not show.
    ///
    /// ```swift
    /// let relay = try await Live(Relay(), storage, check: { try await Certificate.read($0.tls.key) })
    /// ```
    ///
    /// At the start, the check is called if there is no other problem. Later, it is called before a change takes
    /// effect, ahead of all ``apply(_:_:)`` handlers. A single write to the stack cannot wait for the check, so it
    /// throws; use ``update(_:)`` instead. Pass the same closure to
    /// ``checkConfiguration(_:_:at:fields:rule:check:arguments:)``.
    ///
    /// - Parameters:
    ///   - defaults: The default instance. It also tells the fields and their options.
    ///   - storage: The stack that the values come from.
    ///   - path: The path of the configuration in the stack, such as `plugin.foo`, or the empty string for the root.
    ///   - named: The options of fields that cannot have the wrapper ``Setting``, by path.
    ///   - startContents: The settings to start with if the files are invalid. They do not help if only the check
    ///     rejects the files: then the start throws.
    ///   - rule: Throws if the value as a whole is invalid.
    ///   - check: Throws if the program cannot use the value, for example because a file that it names cannot be read.
    ///     It must not change anything that the program uses.
    /// - Throws: ``PrefsError``, as the initializer without a check does, and any error that the check throws. If the
    ///   check throws a ``PrefsError`` with a key, the error gets the file and line of that key.
    @_disfavoredOverload  // A trailing closure is a rule, also in asynchronous code.
    public convenience init(
        _ defaults: Value, _ storage: PrefsStack, at path: String = "",
        fields named: [String: FieldOptions] = [:], startWith startContents: StartContents? = nil,
        rule: @escaping @Sendable (Value) throws -> Void = { _ in },
        check: @escaping @Sendable (Value) async throws -> Void
    ) async throws {
        try self.init(defaults, storage, at: path, fields: named, startWith: startContents, rule: rule)
        // Registered for as long as the configuration exists.
        _ = try await content.addNow(ApplyHandler(checking: check))
    }

    init(_ content: any Configuration<Value>, of storage: PrefsStack, _ changes: PrefsChangeSource) {
        (self.content, self.storage, self.changes) = (content, storage, changes)
    }

    /// Returns whether a layer sets a field, so that the field does not have its default. Call it within a `rule:`.
    ///
    /// ```swift
    /// let relay = try Live(Relay(), storage) { relay in
    ///     if Live<Relay>.isSet("download.url"), !Live<Relay>.isSet("download.checksum") {
    ///         throw PrefsError(.missing, key: "download.checksum", reason: "another URL needs its own checksum")
    ///     }
    /// }
    /// ```
    ///
    /// A field is set even if a layer sets it to its default. A section is set if one of its fields is set.
    ///
    /// The answer is about the value that the rule gets: at the start, for an edit, or for ``update(_:)``. Outside of
    /// a rule, this function returns `false`. Use ``PrefsSnapshot/resolution(for:)`` there.
    ///
    /// - Parameter path: The path of a field, a section, or an entry of a dictionary, relative to the configuration
    ///   that the rule belongs to.
    public static func isSet(_ path: String) -> Bool { RuleCall.isSet?(path) ?? false }

    /// The current value. It is always valid, and all its fields are from one moment of the stack.
    ///
    /// Until the configuration changes, reading it again takes no mutex, decodes nothing and allocates nothing. If you
    /// read a single field, such as `current.limit`, only this field is copied.
    ///
    /// Within ``PrefsStack/withOverrides(_:_:)``, you get the value with the task's overrides, which is decoded at
    /// each call.
    @inlinable public var current: Value {
        var generation = changes.generation
        while true {
            if let box = unsafe decoded.kept(at: generation) {
                // Releasing this object, if this is its last use, would release the box.
                return withExtendedLifetime(self) { unsafe box._withUnsafeGuaranteedRef { $0.value } }
            }
            generation = keepCurrent()
        }
    }

    /// The paths of the changed fields that wait for a restart.
    ///
    /// Fields with ``FieldOptions/needsRestart`` keep the value that they had when the program started. If the stack
    /// now has another value, the path of the field is in this list until the program is restarted.
    public var waitingForRestart: [String] { content.waitingForRestart(in: storage.snapshot) }

    /// Keeps the current value for this thread, and returns its generation. If the active value is invalid, the current value
    /// is the last valid one.
    @inline(never) @usableFromInline
    func keepCurrent() -> UInt64 {
        let snapshot = storage.snapshot
        let value = content.value(in: snapshot) ?? content.lastValid
        decoded.keep(value, at: snapshot.generation)
        return snapshot.generation
    }

    /// Calls `body` with the old and the new value of every change, in order, until the observation is cancelled or
    /// released.
    public func observe(
        _ body: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> PrefsObservation {
        follow(first: { _ in }, body)
    }

    /// Calls `first` with the value before the first change, and then `body` with every change.
    private func follow(
        first: (Value) -> Void, _ body: @escaping @Sendable (_ old: Value, _ new: Value) -> Void
    ) -> PrefsObservation {
        // The last valid value, while the active one is invalid.
        let kept = Lock(content.lastValid)
        let observation = storage.follow(content.observed, keepsEveryStep: false) { [content] transition in
            let old = content.encoded(in: transition.old)
            guard let new = content.encoded(in: transition.new) else {
                if let old { Self.keep(old.value, in: kept) }
                return
            }
            let (value, stored) = old ?? kept.withLock { ($0, content.encoded($0)) }
            if stored != new.stored { body(value, new.value) }
        }
        if let value = content.value(in: observation.start) { Self.keep(value, in: kept) }
        first(kept.withLock { $0 })
        observation.queue.begin()
        return observation.registration
    }

    private static func keep(_ value: Value, in kept: borrowing Lock<Value>) {
        kept.withLockReleasing { kept in
            defer { kept = value }
            return kept
        }
    }

    /// The current value, followed by the value after every change.
    ///
    /// If changes come faster than you take them, you get only the newest.
    public var updates: AsyncStream<Value> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = follow(first: { continuation.yield($0) }) { continuation.yield($1) }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }
}

extension Live {
    /// Returns a part of the configuration, for a module that knows neither the type around it nor its name.
    ///
    /// ```swift
    /// let gateway = try Live(Gateway(), .daemon("gatewayd"))
    /// let limiter = try Limiter(gateway.part(\.limits))      // takes a Live<Limits>
    /// let tls = try gateway.part(\.tls)                      // of an optional section: a Live<TLS?>
    /// ```
    ///
    /// A part is a ``Live`` like the whole. It has ``current``, ``updates``, ``observe(_:)``, ``apply(_:_:)`` and
    /// ``update(_:)``, you can divide it again, and it is read as fast. Its observers and closures are called only if
    /// the part has changed. If the part is an optional section, `current` is `nil` while the section is absent.
    ///
    /// A part shares the fields and the rule with the whole, and the `apply` handlers of both have one common order.
    /// The part keeps the configuration alive. ``isInconsistent`` is the state of the whole.
    ///
    /// A part has no rule of its own. The start and `--check-config` would not know a rule that is added later. So let
    /// the module offer its rule as a function, and call this function in the `rule:` of the whole.
    ///
    /// - Parameters:
    ///   - part: The part: a section, or a field.
    ///   - place: The path of the part in this configuration, such as `limits`. By default, it is found automatically:
    ///     a copy gets another value for the part, and the difference in the stored form of the whole tells the path.
    /// - Throws: ``PrefsError``. Its code is `ambiguous` if the part cannot be told from other parts, so that you have
    ///   to pass `place`. It is `missing` if the part is not at the place that you pass.
    public func part<Part: Codable & Sendable>(
        _ part: any WritableKeyPath<Value, Part> & Sendable, at place: String? = nil
    ) throws -> Live<Part> {
        Live<Part>(try content.part(part, at: place), of: storage, changes)
    }
}

extension Live: CustomReflectable {
    /// The names of the fields, without their values, because some values may be secrets.
    public var customMirror: Mirror { Mirror(self, children: ["fields": content.names]) }
}

extension String {
    /// The key of an array, if this is the key of one of its elements, or of a part of one.
    fileprivate var prefixBeforeElement: String { String(prefix { $0 != "[" }) }
}

extension [PrefsError] {
    /// Returns the problems whose key and reason are not already in `others`.
    func without(_ others: [PrefsError]) -> [PrefsError] {
        filter { error in !others.contains { $0.key == error.key && $0.reason == error.reason } }
    }
}

extension ConfigurationFields {
    /// The fields of the structs in the arrays among the fields.
    var elements: [ElementFields] { fields.compactMap(\.elements) }

    /// The names of the fields.
    var names: [PrefsKeyName] { fields.map(\.key.name) }

    /// Returns the problems of a stack at the start: first its files, then the fields, then the value as a whole.
    func problems(of storage: PrefsStack, at snapshot: PrefsSnapshot) -> [PrefsError] {
        let files = storage.problemsOfFiles
        // If a file cannot be read, nobody knows which fields are missing, or whether the rule is broken.
        let found = files.isEmpty ? problems(in: snapshot) : problemsOfFields(in: snapshot)
        let values = found.map { problem in
            var problem = problem
            if storage.isOfCommandLine(problem) { problem.code = .usage }
            return problem
        }
        return values.filter { $0.code == .usage } + files + values.filter { $0.code != .usage }
    }

    /// Returns problems at the start with places. A problem of the whole gets the file of its values, or a list of their
    /// files.
    func placed(_ problems: [PrefsError], in snapshot: PrefsSnapshot) -> [PrefsError] {
        problems.map { problem in
            var problem = located(problem, in: snapshot)
            if problem.origin != nil || problem.key != nil { return problem }
            var places: [PrefsOrigin] = []
            for origin in fields.compactMap({ snapshot.candidates(for: $0.key.name).first?.origin }) {
                let place = PrefsOrigin(layer: origin.layer, file: origin.file)
                if !places.contains(place) { places.append(place) }
            }
            if places.count < 2 {
                problem.origin = places.first
            } else {
                let shown = places.prefix(PrefsLimits.reports).map(\.description)
                problem.reason += "; the values are from \(shown.joined(separator: ", "))"
            }
            return problem
        }
    }

    /// Returns a problem with the place of its key's value. A rule, for example, may throw an error that names a
    /// key. The key may be relative to the configuration.
    func located(_ problem: PrefsError, in snapshot: PrefsSnapshot) -> PrefsError {
        guard problem.origin == nil, let key = problem.key else { return problem }
        let written = PrefsPath(key).components
        for path in path.isEmpty ? [written] : [written, path + written] {
            let name = PrefsPath(components: path).name
            guard let place = place(ofValueAt: PrefsPath(name.prefixBeforeElement), in: snapshot) else {
                continue
            }
            var problem = problem
            (problem.key, problem.origin) = (name, place)
            return problem
        }
        return problem
    }

    /// Returns the place of the value of a field, a section, or a part of a field. If no layer sets a field, it is the place
    /// of another value in its section, or `nil` at the root.
    private func place(ofValueAt path: PrefsPath, in snapshot: PrefsSnapshot) -> PrefsOrigin? {
        let known = touched(by: [path]).filter { field in
            let own = field.paths[0]
            return own.contains(path) || path.contains(own)
        }
        if let field = known.first(where: { $0.key.id == path.name }) {
            return snapshot.resolution(for: field.key).origin ?? place(of: field.section, in: snapshot)
                ?? placeOfSetField(in: field.place.dropLast(), of: snapshot)
        }
        if known.isEmpty { return nil }
        return snapshot.candidates(for: PrefsKeyName(path.name)).first { $0.rejection == nil }?.origin
            ?? placeOfSetField(in: path.components.dropFirst(self.path.count), of: snapshot)
    }

    /// Returns the place of the first field in a section that a layer sets; `nil` for the root.
    private func placeOfSetField(in section: ArraySlice<String>, of snapshot: PrefsSnapshot) -> PrefsOrigin? {
        if section.isEmpty { return nil }
        return fields.lazy.filter { $0.place.starts(with: section) }
            .compactMap { snapshot.resolution(for: $0.key).origin }.first
    }

    /// Returns true if a snapshot has no problem, and no other configuration of the stack declares one of the
    /// fields. In layers that start with their last known good files, problems of files do not count.
    func areRight(
        in snapshot: PrefsSnapshot, of storage: PrefsStack, restoring layers: Set<String>
    ) -> Bool {
        storage.problemsOfFiles.allSatisfy { $0.origin?.layer.map(layers.contains) ?? false }
            && problems(in: snapshot).isEmpty && !storage.isConfigured(at: paths)
    }

    /// Returns how the configuration would start with a stack that has just been read again.
    func start(with stack: PrefsStack, _ keeper: StartKeeper?) -> StartOutcome {
        let problems = problems(of: stack, at: stack.snapshot)
        if problems.isEmpty { return .read }
        guard let keeper,
            keeper.restart(
                stack, because: problems, if: { areRight(in: $0, of: stack, restoring: $1) })
        else { return .fails(placed(problems, in: stack.snapshot)) }
        return .accepted
    }

    /// Returns the required fields that are missing.
    func missing(in snapshot: PrefsSnapshot) -> [PrefsError] {
        fields.filter { $0.isRequired && isMissing($0, in: snapshot) }.map { field in
            let file = place(of: field.section, in: snapshot)?.file ?? writtenFile ?? "a file"
            let variable = snapshot.variables(for: field.key.name).last.map { ", or in the variable \($0)" }
            let reason = "a value is required; set it in \(file)\(variable ?? "")"
            return PrefsError(.missing, key: field.key.id, reason: reason)
        }
    }

    /// Returns the place of a section in a file: its topmost table, or else a field in it. Returns `nil` if no
    /// file has either.
    private func place(of section: AbsentSection?, in snapshot: PrefsSnapshot) -> PrefsOrigin? {
        guard let section else { return nil }
        let names = [section.name] + fields(in: section.place).map(\.key.name)
        let origins = names.lazy.compactMap { name in
            snapshot.candidates(for: name).first { $0.rejection == nil }?.origin
        }
        return origins.first { $0.file != nil }
    }

    /// Returns true if no layer has an acceptable value of a field, although its section exists.
    private func isMissing(_ field: Field, in snapshot: PrefsSnapshot) -> Bool {
        if snapshot.resolution(for: field.key).origin != nil { return false }
        return field.section.map { isPresent($0, in: snapshot) } ?? true
    }

    /// Returns true if a layer has a table for a section, or sets one of its fields.
    func isPresent(_ section: AbsentSection, in snapshot: PrefsSnapshot) -> Bool {
        section.hasTable(in: snapshot)
            || fields(in: section.place).contains { !snapshot.candidates(for: $0.key.name).isEmpty }
    }

    /// Returns the rejected values of the fields.
    func rejections(in snapshot: PrefsSnapshot) -> [RejectedValue] {
        fields.flatMap { snapshot.rejections(of: $0.key) }
    }

    /// Returns the problems of the fields' values.
    private func problemsOfFields(in snapshot: PrefsSnapshot) -> [PrefsError] {
        rejections(in: snapshot).filter { $0.shadow == nil }.map(\.error)
    }

    /// Returns the problems of a snapshot's values at the start: of fields, then of the whole.
    func problems(in snapshot: PrefsSnapshot) -> [PrefsError] {
        let values = problemsOfFields(in: snapshot)
        if values.isEmpty { return problemsOfWhole(in: snapshot) }
        let wrong = Set(values.map(\.key))
        return values + missing(in: snapshot).filter { !wrong.contains($0.key) }
    }

    /// Returns the problems of a snapshot's values as a whole: missing values, or a broken rule. The wrong value of a field
    /// counts as absent.
    fileprivate func problemsOfWhole(in snapshot: PrefsSnapshot) -> [PrefsError] {
        let missing = missing(in: snapshot)
        if !missing.isEmpty { return missing }
        // The rule applies to the value that the program uses, and to the value after a restart.
        for case .failure(let error)? in [value(in: snapshot), valueAfterRestart(in: snapshot)] {
            return [error]
        }
        return []
    }
}

extension PrefsStack {
    /// The problems of files that could not be read. Layers with last known good files are not included.
    var problemsOfFiles: [PrefsError] {
        let restored = engine.restoredLayers
        return sourceStatus.compactMap { source in
            guard var problem = source.problem, !source.isOnlyOutOfReach,
                source.layer.map(restored.contains) != true
            else { return nil }
            problem.origin?.layer = source.layer
            return problem
        }
    }

    /// Adds a check of candidates; returns its number.
    ///
    /// - Throws: ``PrefsError`` if another configuration of the stack declares one of its fields.
    func addCheck(_ check: CandidateCheck) throws -> Int {
        try engine.checks.withLock { checks in
            if let field = checks.field(sharedWith: check) {
                throw PrefsError(
                    .ambiguous, key: field.name,
                    reason: "another `Live` of this stack declares this field; declare it once")
            }
            return checks.add(check)
        }
    }

    /// Returns true if another configuration of the stack declares one of some fields.
    func isConfigured(at fields: [PrefsPath]) -> Bool {
        engine.checks.withLock { $0.field(sharedWith: CandidateCheck(of: fields) { _, _, _, _ in [] }) }
            != nil
    }

    /// Removes a check. Contents that only this check had rejected become active.
    func removeCheck(_ number: Int) {
        engine.checks.withLockReleasing { $0.remove(number) }
        _ = engine.composeAgain()
        engine.scheduleCommit()
    }
}
