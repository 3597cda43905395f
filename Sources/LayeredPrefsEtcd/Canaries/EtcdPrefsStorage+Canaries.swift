#if Etcd
    public import LayeredPrefs

    extension EtcdPrefsStorage {
        /// Returns the canaries that the server has, by key.
        ///
        /// A canary that cannot be read, such as one with a percentage of 200, reaches no host and is left out.
        ///
        /// - Throws: ``PrefsError``: `.unreadable` if no server answers or the user may not read.
        public func canaries() throws -> [Canary] {
            let mapping = client.settings.canaries
            let items = try items(in: [mapping.range]).items
            return items.compactMap { item in
                guard let name = try? mapping.name(of: item.key) else { return nil }
                return try? Canary(item, ofKey: name, mapping)
            }.sorted { $0.key < $1.key }
        }

        /// Stores values that only a part of the hosts uses, in one transaction; see ``Canary``.
        ///
        /// A canary of a key replaces the one before. To try the value on more hosts, store it with a higher
        /// percentage; then ``promoteCanaries(ofKeys:)`` or ``abortCanaries(ofKeys:)`` ends it. Storing or removing
        /// a value for all hosts ends the key's canary, too.
        ///
        /// - Parameters:
        ///   - values: The values by key.
        ///   - percent: The part of the hosts, from 0 for none to 100 for all.
        /// - Throws: What ``setValues(_:)`` throws; `.invalid` for another percentage.
        public func setCanaries(_ values: [String: PrefsValue], percentOfHosts percent: Int) throws {
            guard (0...100).contains(percent) else {
                throw PrefsError(.invalid, reason: "expected 0 to 100 percent of the hosts, found \(percent)")
            }
            let edits = values.mapValues { PrefsValue?.some(Canary.stored($0, percent: percent)) }
            let plan = WritePlan(mapping: client.settings.canaries, edits: edits)
            try write { items throws(PrefsError) in try plan.changes(of: items) }
        }

        /// Makes the values of canaries those of all hosts, in one transaction that also removes the canaries.
        ///
        /// - Throws: What ``setValues(_:)`` throws; `.missing` if a key has no canary.
        public func promoteCanaries(ofKeys keys: [String]) throws {
            var plan = CanaryPlan(
                mapping: client.settings.mapping, canaries: client.settings.canaries, names: keys)
            try write { items throws(PrefsError) in try plan.promotion(of: items) }
        }

        /// Removes canaries in one transaction, so that their hosts return to the value of all.
        ///
        /// - Throws: What ``setValues(_:)`` throws; `.missing` if a key has no canary.
        public func abortCanaries(ofKeys keys: [String]) throws {
            var plan = CanaryPlan(
                mapping: client.settings.mapping, canaries: client.settings.canaries, names: keys)
            try write { items throws(PrefsError) in try plan.removal(of: items) }
        }
    }
#endif
