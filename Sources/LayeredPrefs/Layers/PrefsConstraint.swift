import PrefsSystem
import PrefsDocuments

/// A rule over several keys, such as minimum and maximum, or certificate and private key.
///
/// Each value may be valid on its own. If the effective values violate the rule, all candidates for its keys
/// in the most important contributing source are rejected together, then those of the next source, until the
/// rule holds. With `pool.minimum <= pool.maximum` and the defaults 1 and 10:
///
/// | source    | `pool.minimum` | `pool.maximum` | result                            |
/// |-----------|----------------|----------------|-----------------------------------|
/// | `user`    | 7              | 6              | both rejected, because 7 > 6      |
/// | `system`  |                | 5              | the maximum is effective          |
/// | default   | 1              | 10             | the minimum is effective: 1 <= 5  |
///
/// A default is never rejected.
struct PrefsConstraint: Sendable {
    /// The rule's keys.
    let names: [PrefsKeyName]
    /// The paths of the keys.
    let paths: [PrefsPath]
    /// Returns the reason why a snapshot's effective values violate the rule; `nil` if they satisfy it.
    let complaint: @Sendable (PrefsSnapshot) -> String?
    /// Returns the index of the most important part that the effective values come from; `nil` if all are defaults.
    let topContributor: @Sendable (PrefsSnapshot) -> Int?

    /// The rule in words, for messages.
    var name: String { "the rule over \(paths.map(\.name).joined(separator: " and "))" }

    /// Returns the reason why a snapshot's effective values violate the rule, in which the secrets among the rule's keys
    /// are masked; `nil` if they satisfy it.
    ///
    /// - Parameter earlier: Contents whose secrets are masked, too.
    func maskedComplaint(_ snapshot: PrefsSnapshot, since earlier: PrefsSnapshot? = nil) -> String? {
        guard let reason = complaint(snapshot) else { return nil }
        let secrets = [snapshot, earlier].compactMap(\.self).flatMap { snapshot in
            names.flatMap { snapshot.candidates(for: $0) }.filter(\.isSecret).map(\.value)
        }
        return SecretPaths.masking(secrets, in: reason)
    }
}

extension PrefsSnapshot {
    /// Returns this snapshot with all candidates rejected that violate a constraint.
    ///
    /// - Parameter call: Runs a constraint, given its name.
    func applying(
        _ constraints: [PrefsConstraint], _ call: (String, () -> PrefsSnapshot) -> PrefsSnapshot
    ) -> PrefsSnapshot {
        constraints.reduce(self) { snapshot, constraint in
            call(constraint.name) { snapshot.applying(constraint) }
        }
    }

    private func applying(_ constraint: PrefsConstraint) -> PrefsSnapshot {
        var rejection = ConstraintRejection(paths: constraint.paths)
        var result = self
        while let reason = constraint.maskedComplaint(result), let top = constraint.topContributor(result),
            rejection.reasons[top] == nil
        {
            rejection.reasons[top] = reason
            result = with { $0.rules.constraintRejections.append(rejection) }
        }
        return result
    }
}

extension PrefsStack {
    /// Adds a rule over several keys. If their values violate it together, they are rejected together.
    ///
    /// ```swift
    /// storage.constrain(.minimum, .maximum) {
    ///     $0 <= $1 ? nil : "expected the minimum below the maximum"
    /// }
    /// ```
    ///
    /// If the effective values violate the rule, the values in the highest source that contributes to them are
    /// rejected first. Then the values in the next source are rejected, until the rule holds. Defaults are never
    /// rejected.
    ///
    /// For example, a user's file sets the minimum to 7 and the maximum to 6, and the layer `system` sets the maximum
    /// to 5. Both values of the user are rejected: the maximum is 5, and the minimum is its default.
    ///
    /// - Parameters:
    ///   - keys: The keys that the rule compares.
    ///   - rule: Returns the reason for a rejection, as a phrase such as `expected the minimum below the maximum`, or
    ///     `nil` to accept the values. The rule is called on any thread that commits, while other commits wait. It may
    ///     read the stack, which still shows the state before the commit. It must not write: that throws.
    public func constrain<each Value: Sendable>(
        _ keys: repeat PersistentKey<each Value>, by rule: @escaping @Sendable (repeat each Value) -> String?
    ) {
        var names: [PrefsKeyName] = []
        for key in repeat each keys { names.append(key.name) }
        let constraint = PrefsConstraint(
            names: names, paths: names.map { PrefsPath($0.name) },
            complaint: { snapshot in rule(repeat snapshot.get(each keys)) },
            topContributor: { snapshot in
                let end = snapshot.state.parts.endIndex
                var top = end
                for key in repeat each keys {
                    top = min(top, snapshot.index(of: snapshot.resolution(for: key).origin))
                }
                return top < end ? top : nil
            })
        committing.withLock { $0.composition.constraints.append(constraint) }
        commit()
        for key in repeat each keys { declare(key) }
    }
}
