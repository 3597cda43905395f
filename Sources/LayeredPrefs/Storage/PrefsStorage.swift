public import PrefsDocuments
import PrefsSystem

/// A storage that holds preferences by key: a dictionary, a file, the environment, or a stack of these.
///
/// A conforming type must provide its ``snapshot``. A writable type also implements ``setValue(_:forKey:)``.
/// A type that can detect its changes returns a ``changeSource``; without one, no value read from the storage
/// is cached, and no observer is notified.
///
/// All requirements may be called from any thread. The library holds no mutex when it calls them, so they may
/// use any storage, including a stack that contains this one.
public protocol PrefsStorage: AnyObject, Sendable {
    /// The entire contents at this moment, as an immutable value.
    var snapshot: PrefsSnapshot { get }

    /// The source of change notifications, or `nil` if this storage cannot report changes. The default is
    /// `nil`.
    var changeSource: PrefsChangeSource? { get }

    /// A Boolean value that indicates whether ``setValue(_:forKey:)`` can succeed. The default is `false`.
    var isWritable: Bool { get }

    /// A Boolean value that indicates whether a written value outlives the process. The default is `false`.
    var isPersistent: Bool { get }

    /// Stores a value for a key, or removes the key if the value is `nil`. The default implementation throws.
    ///
    /// A key is a path. A write replaces everything at and below the path, and nothing else. For example,
    /// after `http` is removed, there is no `http.port`. After `http.port` is stored, `http.host` is as
    /// before, even if `http` was stored as one dictionary. If the snapshot's keys are literal, a key is one
    /// name instead, even if it contains dots.
    ///
    /// The ``snapshot`` must show the new value when the method returns. Otherwise, a stack throws
    /// `unconfirmed`.
    ///
    /// - Returns: The outcome, which is ``PrefsWriteOutcome/effective`` for a storage without layers.
    /// - Throws: ``PrefsError``. Nothing is changed then.
    @discardableResult
    func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome

    /// Stores all of several values, or none of them. A key whose value is `nil` is removed.
    ///
    /// A stack calls this method once for the writes of a transaction, and for the fields of a struct.
    ///
    /// The default implementation stores one value after another, in the order of the keys. If one cannot be
    /// stored, it restores the previous ones. In the meantime, readers find some of the new values. Implement
    /// this method if your storage can store all values at once.
    ///
    /// - Throws: ``PrefsError``. Nothing is changed then, or the error names the keys that could not be
    ///   restored.
    func setValues(_ values: [String: PrefsValue?]) throws

    /// The destination of errors that a call cannot throw, such as the errors of property setters.
    ///
    /// The default is ``PrefsDiagnosticHandler/shared``.
    var diagnostics: PrefsDiagnosticHandler { get }

    /// Checks for changes that no notification announces, and loads them before it returns.
    ///
    /// The default implementation does nothing.
    func reload()

    /// The state of each source behind this storage. The default is one source without problems.
    var status: [PrefsSourceStatus] { get }

    // The storages of this library implement the following, to read and write without taking a snapshot or to
    // report to their own diagnostics. The default implementations suffice for any other storage.

    /// Returns the effective value for a key, as ``get(_:fileID:line:)`` does.
    @_documentation(visibility: internal)
    func _get<Value>(_ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt) -> Value

    /// Returns the stored values for a key under any of its names, most important first.
    @_documentation(visibility: internal)
    func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate]

    /// Returns the stored values for a name, most important first.
    @_documentation(visibility: internal)
    func _candidates(forKey key: String) -> [PrefsCandidate]

    /// Stores the stored form of a typed key's value, or removes the key if the form is `nil`.
    ///
    /// A stack also removes the key's former names.
    @_documentation(visibility: internal)
    func _setStoredForm<Value>(
        _ value: PrefsValue?, for key: PersistentKey<Value>
    ) throws -> PrefsWriteOutcome

    /// Calls `body` whenever the value of a key, or of any key below it, may have changed.
    ///
    /// The default implementation compares the key's stored values whenever the ``changeSource`` announces a
    /// change.
    ///
    /// - Returns: The observation, or `nil` if this storage cannot report changes.
    @_documentation(visibility: internal)
    func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation?

    /// Tells the storage that a read of a key rejected a stored value, so that the storage can report it.
    @_documentation(visibility: internal)
    func _noteRejection<Value>(of key: PersistentKey<Value>)

    /// The capabilities that the engine uses beyond the requirements above.
    @_documentation(visibility: internal)
    var _capabilities: _PrefsStorageCapabilities { get }
}

/// The outcome of a write that did not throw.
public enum PrefsWriteOutcome: Sendable, Hashable {
    /// The written value is effective.
    case effective
    /// The value is stored, but a value in a higher layer or a drop-in shadows it.
    case shadowed(by: PrefsOrigin)
    /// Nothing is stored or removed, because this library was built for release.
    ///
    /// Either the key is a debug key (see ``PersistentKeyOption/debugOnly``), or the named layer is
    /// ``PrefsLayer/Name/debug``. A debug build never returns this outcome, so a program need not handle it.
    /// It only means that a release build leaves the preference as it is.
    case notStored
}

extension PrefsStorage {
    public var changeSource: PrefsChangeSource? { nil }

    public var isWritable: Bool { false }

    public var isPersistent: Bool { false }

    public var diagnostics: PrefsDiagnosticHandler { .shared }

    @discardableResult
    public func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
        throw PrefsError(.notWritable, key: key, reason: "this storage is read-only")
    }

    public func setValues(_ values: [String: PrefsValue?]) throws {
        let before = values.count > 1 ? snapshot : PrefsSnapshot()
        var stored: [String] = []
        do {
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                try setValue(value, forKey: key)
                stored.append(key)
            }
        } catch {
            var left: [String] = []
            for key in stored.reversed() {
                do { try setValue(before[key], forKey: key) } catch { left.append(key) }
            }
            guard !left.isEmpty, var failure = error as? PrefsError else { throw error }
            failure.reason +=
                "; these keys were stored nevertheless: \(left.sorted().joined(separator: ", "))"
            throw failure
        }
    }

    public func reload() {}

    public var status: [PrefsSourceStatus] {
        [PrefsSourceStatus(isWritable: isWritable, generation: changeSource?.generation)]
    }

    public func _registerObserver(
        under key: String, _ body: @escaping @Sendable () -> Void
    ) -> PrefsObservation? {
        guard let changeSource else { return nil }
        let newest = Lock(NewestReading(_candidates(forKey: key).map(\.value)))
        return changeSource.observe { [weak self] in
            let number = newest.withLock { $0.begin() }
            guard let now = self?._candidates(forKey: key).map(\.value) else { return }
            if newest.withLock({ $0.end(number, now) }) { body() }
        }
    }
}

extension PrefsStorage {
    public func _get<Value>(
        _ key: PersistentKey<Value>, _ fileID: StaticString, _ line: UInt
    ) -> Value {
        guard key.isMutable else { return key.defaultValue }
        let answer = key.resolve(candidates: _candidates(for: key))
        if !answer.rejections.isEmpty { _noteRejection(of: key) }
        return answer.value
    }

    public func _candidates<Value>(for key: PersistentKey<Value>) -> [PrefsCandidate] {
        snapshot.candidates(for: key.name)
    }

    public func _candidates(forKey key: String) -> [PrefsCandidate] { snapshot.candidates(forKey: key) }

    public func _setStoredForm<Value>(
        _ value: PrefsValue?, for key: PersistentKey<Value>
    ) throws -> PrefsWriteOutcome {
        try setValue(value, forKey: key.id)
    }

    public func _noteRejection<Value>(of key: PersistentKey<Value>) {}

    public var _capabilities: _PrefsStorageCapabilities { _PrefsStorageCapabilities(storage: self) }
}
