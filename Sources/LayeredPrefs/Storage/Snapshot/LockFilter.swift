import PrefsDocuments

/// The locks of a snapshot, applied to the values of one key.
///
/// A lock on the key, on a former name or on anything above them removes all values of the layers above the
/// locking layer.
///
/// A lock on part of a dictionary removes the locked entry from the dictionaries of the layers above, because
/// the entry comes from the locking layer or a lower one. A value of any other kind would hide the locked
/// entry, so the filter drops it if the entry has a value. For example, `system` locks `http.port`:
///
///     user      {"http": {"port": 9, "host": "u"}}       {"http": "off"}
///     system    {"http": {"port": 1, "host": "s"}}       {"http": {"port": 1, "host": "s"}}
///
///     http      {"port": 1, "host": "u"}                 {"port": 1, "host": "s"}
///
/// These are the steps for the user's dictionary, if the key's type replaces the dictionaries of the layers below:
///
/// 1. `user` is not above a lock on `http` or on anything above it, so no lock excludes the whole value.
/// 2. The lock on `http.port` binds the value, because the locking layer is below `user`.
/// 3. The value is not a text, so it needs no parsing.
/// 4. The locked entry is the system's 1. The filter cuts out the user's 9 and inserts the 1.
///
/// The port is the same if `user` sets none. If no layer at or below `system` sets a port, a typed key takes
/// the port of its default. If the default has no port either, the filter only removes the user's port, and
/// keeps `"off"`, which then hides nothing. For a key that merges deeply, `"off"` stays a candidate, and the
/// key's type rejects it.
struct LockFilter {
    private let snapshot: PrefsSnapshot
    /// The paths of the key's names. A locked entry may be stored below each of them. Empty if no lock
    /// concerns the key.
    private let names: [PrefsPath]
    private let typing: KeyTyping?
    /// True if the filter inserts the locked value into a dictionary, because the type replaces dictionaries
    /// as a whole. If false, the merge with the layers below supplies the value.
    private let restoresEntries: Bool
    /// The height of the layer that locks the whole key.
    private let ceiling: Int

    /// Creates the filter for a typed key.
    init(_ snapshot: PrefsSnapshot, _ key: PrefsKeyName, typed typing: @autoclosure () -> KeyTyping?) {
        self.snapshot = snapshot
        names = snapshot.paths(ofLocked: key)
        guard !names.isEmpty else {
            (self.typing, restoresEntries, ceiling) = (nil, false, .max)
            return
        }
        self.typing = typing()
        restoresEntries = self.typing?.mergesDeeply != true
        ceiling = snapshot.lock(on: key)?.height ?? .max
    }

    /// Creates the filter for the untyped values at a path.
    init(_ snapshot: PrefsSnapshot, untypedAt path: PrefsPath) {
        self.snapshot = snapshot
        typing = nil
        names = snapshot.state.rules.locks.concerns(path) ? [path] : []
        restoresEntries = false
        ceiling = names.isEmpty ? .max : snapshot.lock(on: path)?.height ?? .max
    }

    /// True if no lock concerns the key, so that ``apply(to:)`` changes nothing.
    var isIdle: Bool { names.isEmpty }

    /// Returns a value without its locked parts, or `nil` if a lock excludes the value.
    func apply(to found: LocatedValue) -> LocatedValue? {
        if isIdle { return found }
        if found.height > ceiling { return nil }
        if found.isRejected { return found }
        let locks = snapshot.state.rules.locks.locks(below: names, binding: found.height)
        if locks.isEmpty { return found }
        // If the text does not parse, the key rejects it.
        guard var result = parsed(found) else { return found }
        for lock in locks {
            guard apply(lock, to: &result) else { return nil }
        }
        return result
    }

    /// Returns the value of a text; `nil` if the key's type cannot parse it.
    private func parsed(_ found: LocatedValue) -> LocatedValue? {
        guard found.isText, case .string(let text) = found.value, let typing else { return found }
        guard let value = typing.parse(text) else { return nil }
        var result = found
        (result.value, result.isText) = (value, false)
        return result
    }

    /// Replaces the locked entry of a dictionary. Returns false if the value hides the entry and must be dropped.
    private func apply(_ lock: InnerLock, to found: inout LocatedValue) -> Bool {
        let place = lock.place
        let entry = lockedEntry(at: place, below: lock.height)
        guard found.value.kind == .dictionary else { return entry == nil || typing?.mergesDeeply == true }
        found.value.cut(place, clearingTheWay: entry != nil)
        if restoresEntries, let entry { found.value.insert(entry, at: place) }
        return true
    }

    /// Returns the locked entry of the locking layer and the layers below it, under the first name that has
    /// one. If no name has one, returns the entry of the key's default.
    private func lockedEntry(at place: ArraySlice<String>, below height: Int) -> PrefsValue? {
        for name in names {
            let path = PrefsPath(components: name.components + place)
            if let value = snapshot.untypedValue(at: path, below: height) { return value }
        }
        return typing?.storedDefault()?.value(at: place)
    }
}

extension PrefsSnapshot {
    /// Returns the lowest lock that holds for a key under any of its names.
    func lock(on key: PrefsKeyName) -> PrefsLock? { state.rules.locks.lock(on: key) }

    /// Returns the lowest lock on a path or on anything above it.
    func lock(on path: PrefsPath) -> PrefsLock? { state.rules.locks.lock(on: path) }

    /// Returns the paths of a key's names if a lock concerns any of them; otherwise none.
    fileprivate func paths(ofLocked key: PrefsKeyName) -> [PrefsPath] {
        let locks = state.rules.locks
        if locks.isEmpty { return [] }
        let paths = key.lockablePaths
        return paths.contains(where: locks.concerns) ? paths : []
    }
}
