@testable import LayeredPrefs

/// The results of the attacks.
extension AttackBatch {
    /// The stack that the attacked program reads from.
    private func reader(_ target: AttackTarget) -> PrefsStack {
        target.attack.route == .outerStack ? outer : stack
    }

    private func scoped<Result>(_ target: AttackTarget, _ body: () -> Result) -> Result {
        target.attack.route == .scope ? stack.withOverrides(target.entries, body) : body()
    }

    func isAttacked(_ target: AttackTarget) -> Bool {
        let storage = reader(target)
        return scoped(target) {
            storage.get(target.key) != target.expected
                || storage.snapshot[target.root] != goodContents(target)
                || storage.snapshot.candidates(for: target.key.name).count > 1
        }
    }

    private func goodContents(_ target: AttackTarget) -> PrefsValue? {
        target.attack.good == .none ? nil : ["sub": ["port": "good"]]
    }

    /// Returns the ways of reading that an attack succeeded in.
    func faults(
        of target: AttackTarget, _ contents: [String: PrefsValue], thoroughly: Bool
    ) -> [String] {
        let storage = reader(target)
        var faults = scoped(target) {
            readingFaults(of: target, storage)
                + (thoroughly ? otherReadingFaults(of: target, storage) : [])
        }
        if target.attack.route != .scope, target.attack.route != .outerStack, target.isUntypedLocked {
            faults += untypedFaults(in: contents[target.root], of: target).map { "contents: \($0)" }
        }
        let received = observed[target.key.id]
        let allowed = moment == .beforeLocking ? received.suffix(1) : received[...]
        if allowed.contains("evil") { faults.append("observed") }
        return faults
    }

    private func readingFaults(of target: AttackTarget, _ storage: PrefsStack) -> [String] {
        var faults: [String] = []
        func check(_ isHeld: Bool, _ way: String) { if !isHeld { faults.append(way) } }
        let (snapshot, expected) = (storage.snapshot, target.expected)
        check(storage.get(target.key) == expected, "get")
        let resolution = snapshot.resolution(for: target.key)
        check(resolution.value == expected && resolution.lock != nil, "resolution")
        let layers: [String?] = [nil, "defaults", "system", "inner.defaults", "inner.system"]
        check(layers.contains(resolution.origin?.layer), "origin")
        check(resolution.origin?.file.map { $0.hasPrefix(named) } != true, "file")
        let parent = storage.get(target.parent)["port"]
        check(parent == (target.attack.good == .none ? nil : "good"), "parent")
        guard target.isUntypedLocked else { return faults }
        check(snapshot[target.key.id] == goodValue(target), "untyped")
        return faults + untypedFaults(in: snapshot[target.root], of: target)
    }

    private func otherReadingFaults(of target: AttackTarget, _ storage: PrefsStack) -> [String] {
        var faults: [String] = []
        func check(_ isHeld: Bool, _ way: String) { if !isHeld { faults.append(way) } }
        let snapshot = storage.snapshot
        check(snapshot.get(target.key) == target.expected, "snapshot.get")
        let explanation = storage.explanation(for: target.key)
        check(!explanation.rows.contains { $0.role == .winner && $0.value != "good" }, "explanation")
        guard target.isUntypedLocked else { return faults }
        let good = goodValue(target)
        check(storage.value(forKey: target.key.id) == good, "value(forKey:)")
        check(snapshot["\(target.key.id).x"] == nil, "below")
        let sub = snapshot["\(target.root).sub"]?.dictionary?["port"]
        if good != nil { check(sub == "good", "untyped parent") }
        let untyped = storage.resolution(forKey: target.key.id)
        check(untyped.value == good && untyped.lock != nil, "untyped resolution")
        return faults
    }

    private func goodValue(_ target: AttackTarget) -> PrefsValue? {
        target.attack.good == .none ? nil : "good"
    }

    /// Returns the faults of the locked key within the dictionary that contains it.
    private func untypedFaults(in root: PrefsValue?, of target: AttackTarget) -> [String] {
        let found = root?.value(at: ["sub", "port"][...])
        return found == goodValue(target) ? [] : ["root: \(String(describing: found))"]
    }

    func firstValue(_ target: AttackTarget) async -> String? {
        if target.attack.route == .scope { return target.expected }
        for await value in reader(target).values(for: target.key) { return value }
        return nil
    }
}
