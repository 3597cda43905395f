import PrefsDocuments
import PrefsSystem

/// A rule over several keys, such as a minimum and a maximum, or a certificate and its key. Each value may be
/// valid alone.
///
/// An edit is rejected if it changes one of the keys and the effective values then violate the rule. Values that
/// violate the rule already, for example since the start, are reported and stay effective.
struct PrefsConstraint: Sendable {
    /// The rule's keys.
    let names: [PrefsKeyName]
    /// The paths of the keys, under all of their names.
    let paths: [PrefsPath]
    /// Returns the reason why a snapshot's effective values violate the rule; `nil` if they satisfy it.
    let complaint: @Sendable (PrefsSnapshot) -> String?
    /// Returns the place of the most important effective value; `nil` if all are defaults.
    let place: @Sendable (PrefsSnapshot) -> PrefsOrigin?

    /// The rule's keys, for messages.
    var key: String { names.map(\.name).joined(separator: ", ") }

    /// The rule in words, for messages.
    var name: String { "the rule over \(names.map(\.name).joined(separator: " and "))" }

    /// Returns the reason why a snapshot's effective values violate the rule; `nil` if they satisfy it. The
    /// secrets among the rule's keys are masked.
    ///
    /// - Parameter earlier: Contents whose secrets are masked, too.
    func maskedComplaint(_ snapshot: PrefsSnapshot, since earlier: PrefsSnapshot? = nil) -> String? {
        guard let reason = complaint(snapshot) else { return nil }
        let secrets = [snapshot, earlier].compactMap(\.self).flatMap { snapshot in
            names.flatMap { snapshot.candidates(for: $0) }.filter(\.isSecret).map(\.value)
        }
        return SecretPaths.masking(secrets, in: reason)
    }

    /// Returns the error of a violation, with the place of the most important value; `nil` if there is none.
    fileprivate func violation(in snapshot: PrefsSnapshot) -> PrefsError? {
        maskedComplaint(snapshot).map { PrefsError(.invalid, key: key, origin: place(snapshot), reason: $0) }
    }
}

/// The rules over several keys that the active values violate. With this record, each violation is reported once,
/// and its end once.
struct ViolatedConstraints {
    /// The violations by the numbers of the rules.
    private var reported: [Int: PrefsError] = [:]

    var rules: Set<Int> { Set(reported.keys) }

    /// Records the present violation of a rule, and returns the report to make; `nil` if there is nothing new.
    mutating func update(_ number: Int, with error: PrefsError?) -> PrefsDiagnostic? {
        let before = reported[number]
        reported[number] = error
        if let error { return before?.reason == error.reason ? nil : PrefsDiagnostic(.error, error) }
        guard var recovered = before else { return nil }
        recovered.reason = "the values satisfy the rule again"
        return PrefsDiagnostic(.recovered, recovered)
    }
}

extension PrefsStack {
    /// Adds a rule over several keys.
    ///
    /// ```swift
    /// storage.constrain(.minimum, .maximum) {
    ///     $0 <= $1 ? nil : "expected the minimum below the maximum"
    /// }
    /// ```
    ///
    /// The rule is checked before an edit of one of the keys takes effect. If the new values violate the rule, the
    /// edit is rejected and the previous values stay, as with a value that its key rejects. A write by the program
    /// that violates the rule throws.
    ///
    /// Values that violate the rule when you add it, or because a key was locked, are reported and stay effective.
    /// The next edit of one of the keys must satisfy the rule.
    ///
    /// - Parameters:
    ///   - keys: The keys that the rule compares.
    ///   - rule: Returns the reason for a rejection, as a phrase such as `expected the minimum below the maximum`,
    ///     or `nil` to accept the values. The rule is called on any thread that commits, while other commits wait.
    ///     It may read the stack, which still shows the state before the commit. A write within it throws.
    public func constrain<each Value: Sendable>(
        _ keys: repeat PersistentKey<each Value>, by rule: @escaping @Sendable (repeat each Value) -> String?
    ) {
        var names: [PrefsKeyName] = []
        for key in repeat each keys { names.append(key.name) }
        let constraint = PrefsConstraint(
            names: names, paths: names.flatMap(\.paths),
            complaint: { snapshot in rule(repeat snapshot.get(each keys)) },
            place: { snapshot in
                var top: (part: Int, origin: PrefsOrigin)?
                for key in repeat each keys {
                    guard let origin = snapshot.resolution(for: key).origin else { continue }
                    let part = snapshot.index(of: origin)
                    if top.map({ part < $0.part }) != false { top = (part, origin) }
                }
                return top?.origin
            })
        for key in repeat each keys { declare(key) }
        let number = engine.state.withLock { state in
            state.composition.constraints.append(constraint)
            return state.composition.constraints.count - 1
        }
        // A rule that is added within a commit may not be called there.
        if CommitLock.isHeldByThisThread {
            engine.commitQueue.post { [weak engine] in engine?.checkActiveValues(constraint, number) }
        } else {
            engine.checkActiveValues(constraint, number)
        }
    }
}

extension CommitEngine {
    /// Reports if the active values violate a rule.
    fileprivate func checkActiveValues(_ constraint: PrefsConstraint, _ number: Int) {
        guard lock.acquire(within: Self.lockTimeout) else {
            let error = lock.delayedCheck(of: constraint.name, after: Self.lockTimeout)
            return diagnostics.report(.error, error)
        }
        let violation = callUserCode(constraint.name) { constraint.violation(in: active) }
        reporter.post([(number, violation)])
        release()
        reporter.queue.drain()
    }

    /// Returns the states of some rules whose values have changed. The calling thread holds the commit lock.
    ///
    /// - Parameter isRight: True if the values have been checked already. Then only rules that were violated
    ///   before are checked again.
    func violations(
        of constraints: [PrefsConstraint], in candidate: PrefsSnapshot, changedAt dirty: PathList,
        unless isRight: Bool
    ) -> [ConstraintViolation] {
        if constraints.isEmpty { return [] }
        let violated = reporter.violations.withLock { $0.rules }
        return constraints.enumerated().filter { number, constraint in
            (!isRight || violated.contains(number)) && dirty.touches(constraint.paths)
        }.map { number, constraint in
            (number, callUserCode(constraint.name) { constraint.violation(in: candidate) })
        }
    }
}
