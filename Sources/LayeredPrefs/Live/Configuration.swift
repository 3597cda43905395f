import PrefsDocuments

/// The content of a ``Live``: a whole configuration of a stack, or a part of one.
///
/// The whole owns the fields, the check of new contents, and the `apply` handlers. A part adds only a key path: it
/// forwards each call to the whole, and takes its own piece of the result. So all parts share one order of
/// handlers, and a module that has a part needs to know nothing about the type around it.
protocol Configuration<Value>: Sendable {
    associatedtype Value: Codable & Sendable

    /// The value in a snapshot; `nil` if the configuration is not valid there.
    func value(in snapshot: PrefsSnapshot) -> Value?

    /// Returns the value in a snapshot and its stored form; `nil` if the configuration is not valid there. Equal
    /// values have the same stored form. An absent section has no stored form.
    func encoded(in snapshot: PrefsSnapshot) -> (value: Value, stored: PrefsValue?)?

    /// Returns the stored form of a value. Equal values have the same stored form.
    func encoded(_ value: Value) -> PrefsValue?

    /// The active value. If a change that nothing can reject has made it invalid, this is the last valid value.
    var lastValid: Value { get }

    /// The paths in the stack where a change may affect the value.
    var observed: [PrefsPath] { get }

    /// The paths of the fields in the stack.
    var names: [String] { get }

    /// The descriptions of the fields.
    var descriptions: [PrefsKeyDescription] { get }

    /// True if a handler of the whole configuration has failed to apply the active value.
    var isInconsistent: Bool { get }

    /// Returns the paths of the fields that wait for a restart.
    func waitingForRestart(in snapshot: PrefsSnapshot) -> [String]

    /// Registers a handler that already uses the active value. Returns a closure that ends the registration.
    func add(_ handler: ApplyHandler<Value>) -> @Sendable () -> Void

    /// Registers a handler and lets it apply the active value. Returns a closure that ends the registration.
    func addNow(_ handler: ApplyHandler<Value>) async throws -> @Sendable () -> Void

    /// Changes the value; see ``Live/update(_:)``.
    func update(_ change: (inout Value) throws -> Void) async throws -> PrefsWriteOutcome

    /// Returns a part; see ``Live/part(_:at:)``.
    func part<Part: Codable & Sendable>(
        _ part: any WritableKeyPath<Value, Part> & Sendable, at place: String?
    ) throws -> any Configuration<Part>
}

/// A whole configuration: its fields, its handlers, and its check of new contents. The check ends with this
/// object.
final class WholeConfiguration<Value: Codable & Sendable>: Configuration {
    let fields: ConfigurationFields<Value>
    let handlers: ApplyHandlers<Value>
    let storage: PrefsStack
    let changes: PrefsChangeSource
    private let checkID: Int
    /// Saves accepted contents for the next start.
    private let saving: PrefsObservation?

    init(
        _ fields: ConfigurationFields<Value>, _ handlers: ApplyHandlers<Value>, of storage: PrefsStack,
        _ changes: PrefsChangeSource, checkID: Int, _ saving: PrefsObservation?
    ) {
        (self.fields, self.handlers, self.storage, self.changes) = (fields, handlers, storage, changes)
        (self.checkID, self.saving) = (checkID, saving)
    }

    deinit {
        // All other configurations are created before the one at the root.
        if fields.path.isEmpty { storage.reportPendingUnknownKeys() }
        storage.removeCheck(checkID)
        handlers.removeAll()
    }

    func value(in snapshot: PrefsSnapshot) -> Value? { try? fields.value(in: snapshot).get() }

    func encoded(in snapshot: PrefsSnapshot) -> (value: Value, stored: PrefsValue?)? {
        fields.encoded(in: snapshot).map { ($0.value, $0.stored) }
    }

    func encoded(_ value: Value) -> PrefsValue? { fields.encoded(value) }

    var lastValid: Value { handlers.lastValid }

    var observed: [PrefsPath] { fields.observed(in: []) }

    var names: [String] { fields.names.map(\.name) }

    var descriptions: [PrefsKeyDescription] { fields.descriptions }

    var isInconsistent: Bool { handlers.isInconsistent }

    func waitingForRestart(in snapshot: PrefsSnapshot) -> [String] {
        fields.waitingForRestart(in: snapshot)
    }

    func part<Part: Codable & Sendable>(
        _ part: any WritableKeyPath<Value, Part> & Sendable, at place: String?
    ) throws -> any Configuration<Part> {
        let place = place.map { PrefsPath($0).components }
        return ConfigurationPart(
            of: self, part, at: try PartPlace(of: part, in: fields, present: lastValid, given: place).path)
    }
}

/// A part of a configuration.
struct ConfigurationPart<Whole: Codable & Sendable, Value: Codable & Sendable>: Configuration {
    /// Keeps the configuration alive for as long as one of its parts exists.
    private let whole: WholeConfiguration<Whole>
    private let path: any WritableKeyPath<Whole, Value> & Sendable
    /// The names that lead to the part in the whole.
    private let place: [String]

    init(
        of whole: WholeConfiguration<Whole>, _ path: any WritableKeyPath<Whole, Value> & Sendable,
        at place: [String]
    ) {
        (self.whole, self.path, self.place) = (whole, path, place)
    }

    private var fields: ConfigurationFields<Whole> { whole.fields }

    func value(in snapshot: PrefsSnapshot) -> Value? { whole.value(in: snapshot)?[keyPath: path] }

    func encoded(in snapshot: PrefsSnapshot) -> (value: Value, stored: PrefsValue?)? {
        fields.encoded(in: snapshot).map { ($0.value[keyPath: path], $0.stored.value(at: place[...])) }
    }

    func encoded(_ value: Value) -> PrefsValue? { (try? PrefsValueEncoder().encode(value)) ?? nil }

    var lastValid: Value { whole.lastValid[keyPath: path] }

    var observed: [PrefsPath] { fields.observed(in: place) }

    var names: [String] { fields.fields(in: place).map(\.key.id) }

    var descriptions: [PrefsKeyDescription] {
        let names = Set(names)
        return fields.descriptions.filter { names.contains($0.name) }
    }

    var isInconsistent: Bool { whole.isInconsistent }

    func waitingForRestart(in snapshot: PrefsSnapshot) -> [String] {
        let names = Set(names)
        return whole.waitingForRestart(in: snapshot).filter(names.contains)
    }

    func add(_ handler: ApplyHandler<Value>) -> @Sendable () -> Void { whole.add(ofWhole(handler)) }

    func addNow(_ handler: ApplyHandler<Value>) async throws -> @Sendable () -> Void {
        try await whole.addNow(ofWhole(handler))
    }

    private func ofWhole(_ handler: ApplyHandler<Value>) -> ApplyHandler<Whole> {
        ApplyHandler(handler, of: { [path] in $0[keyPath: path] })
    }

    func update(_ change: (inout Value) throws -> Void) async throws -> PrefsWriteOutcome {
        try await whole.update { try change(&$0[keyPath: path]) }
    }

    func part<Part: Codable & Sendable>(
        _ part: any WritableKeyPath<Value, Part> & Sendable, at place: String?
    ) throws -> any Configuration<Part> {
        let path = joined(path, part)
        let given = place.map { self.place + PrefsPath($0).components }
        return ConfigurationPart<Whole, Part>(
            of: whole, path,
            at: try PartPlace(of: path, in: fields, present: whole.lastValid, given: given).path)
    }
}

/// Returns the path that follows one key path and then another.
private func joined<Whole, Part, Value>(
    _ path: any WritableKeyPath<Whole, Part> & Sendable,
    _ rest: any WritableKeyPath<Part, Value> & Sendable
) -> any WritableKeyPath<Whole, Value> & Sendable {
    let (path, rest): (WritableKeyPath<Whole, Part>, WritableKeyPath<Part, Value>) = (path, rest)
    let joined = path.appending(path: rest)
    // Sound: `Sendable` is a marker protocol without a witness table, so both types are the same reference. The
    // joined key path is also sendable, because it captures nothing but the captures of its two parts.
    return unsafe unsafeBitCast(joined, to: (any WritableKeyPath<Whole, Value> & Sendable).self)
}
