#if Etcd
    public import LayeredPrefs

    extension EtcdPrefsStorage {
        /// Fetches the canaries from the server, in the order of their keys.
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
        /// A new canary of a key replaces the previous one. To try the value on more hosts, store it again with a
        /// higher percentage. Then call ``promoteCanaries(ofKeys:)`` or ``abortCanaries(ofKeys:)`` to end the canary.
        /// If you store or remove the key's value for all hosts, its canary ends, too.
        ///
        /// - Parameters:
        ///   - values: The values by key.
        ///   - percent: The part of the hosts, from 0 for none to 100 for all.
        /// - Throws: The errors of ``setValues(_:)``; `.invalid` for another percentage.
        public func setCanaries(_ values: [String: PrefsValue], percentOfHosts percent: Int) throws {
            guard (0...100).contains(percent) else {
                throw PrefsError(.invalid, reason: "expected 0 to 100 percent of the hosts, found \(percent)")
            }
            let edits = values.mapValues { PrefsValue?.some(Canary.stored($0, percent: percent)) }
            let plan = WritePlan(mapping: client.settings.canaries, edits: edits)
            try write { items throws(PrefsError) in try plan.changes(of: items) }
        }

        /// Stores the values of canaries for all hosts, and removes the canaries in the same transaction.
        ///
        /// - Throws: The errors of ``setValues(_:)``; `.missing` if a key has no canary.
        public func promoteCanaries(ofKeys keys: [String]) throws {
            var plan = CanaryPlan(
                mapping: client.settings.mapping, canaries: client.settings.canaries, names: keys)
            try write { items throws(PrefsError) in try plan.promotion(of: items) }
        }

        /// Removes canaries in one transaction, so that their hosts return to the value for all hosts.
        ///
        /// - Throws: The errors of ``setValues(_:)``; `.missing` if a key has no canary.
        public func abortCanaries(ofKeys keys: [String]) throws {
            var plan = CanaryPlan(
                mapping: client.settings.mapping, canaries: client.settings.canaries, names: keys)
            try write { items throws(PrefsError) in try plan.removal(of: items) }
        }
    }
#endif
