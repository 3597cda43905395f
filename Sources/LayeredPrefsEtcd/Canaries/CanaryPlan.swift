#if Etcd
    import LayeredPrefs

    /// The changes that promote or abort canaries.
    ///
    /// A plan is made again if its first transaction conflicts with another one, or if its outcome is unknown. If
    /// a canary is gone by then, this plan or another writer has ended it.
    struct CanaryPlan {
        let mapping: KeyMapping
        let canaries: KeyMapping
        let names: [String]
        /// The promoted values, as the last plan found them.
        private var values: [String: PrefsValue] = [:]
        private var isRepeated = false

        init(mapping: KeyMapping, canaries: KeyMapping, names: [String]) {
            (self.mapping, self.canaries, self.names) = (mapping, canaries, Set(names).sorted())
        }

        /// Returns the changes that store the canaries' values for all hosts.
        mutating func promotion(of items: [[UInt8]: EtcdItem]) throws(PrefsError) -> [EtcdRequests.Change] {
            var edits: [String: PrefsValue?] = [:]
            for name in names {
                if let item = items[try canaries.key(for: name)] {
                    let value = try EtcdPrefsStorage.Canary(item, ofKey: name, canaries).value
                    values[name] = value
                    edits[name] = value
                } else {
                    guard isRepeated, let value = values[name], try isStored(value, name, items) else {
                        throw Self.missing(name)
                    }
                }
            }
            isRepeated = true
            return try WritePlan(mapping: mapping, edits: edits, canaries: canaries).changes(of: items)
        }

        /// Returns the changes that remove the canaries.
        mutating func removal(of items: [[UInt8]: EtcdItem]) throws(PrefsError) -> [EtcdRequests.Change] {
            var changes: [EtcdRequests.Change] = []
            for name in names {
                let key = try canaries.key(for: name)
                if let item = items[key] {
                    changes.append(EtcdRequests.Change(key: key, value: nil, base: item.revision))
                } else if !isRepeated {
                    throw Self.missing(name)
                }
            }
            isRepeated = true
            return changes
        }

        private func isStored(
            _ value: PrefsValue, _ name: String, _ items: [[UInt8]: EtcdItem]
        ) throws(PrefsError) -> Bool {
            try items[mapping.key(for: name)].map(mapping.candidate)?.value == value
        }

        private static func missing(_ name: String) -> PrefsError {
            PrefsError(.missing, key: name, reason: "the key has no canary")
        }
    }
#endif
