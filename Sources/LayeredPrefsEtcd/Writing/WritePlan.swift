#if Etcd
    import LayeredPrefs

    /// The changes of keys that make the contents have some values.
    struct WritePlan {
        let mapping: KeyMapping
        /// The values by name; `nil` removes.
        let edits: [String: PrefsValue?]
        /// The keys of the canaries that end with the edits; `nil` if the edits are canaries.
        var canaries: KeyMapping?

        /// Returns what has to change in some contents; nothing if they have the values already.
        ///
        /// Setting or removing `http` also removes every key below it. Removing `http.port` also removes `port`
        /// from the object that a key `http` may hold. What is set or removed for all hosts has no canary any more.
        func changes(of items: [[UInt8]: EtcdItem]) throws(PrefsError) -> [EtcdRequests.Change] {
            var values: [[UInt8]: [UInt8]?] = [:]
            // What is above comes first, so that of two edits the one below it prevails.
            for (name, value) in edits.sorted(by: { $0.key < $1.key }) {
                let key = try mapping.key(for: name)
                let folder = key + [UInt8(ascii: "/")]
                for other in items.keys where other.starts(with: folder) { values[other] = .some(nil) }
                if let canaries { try removeCanaries(canaries, of: name, in: items, &values) }
                if let value {
                    values[key] = try Self.text(of: value, name)
                } else {
                    values[key] = .some(nil)
                    removeFromObjects(above: name, in: items, &values)
                }
            }
            return values.compactMap { key, value in
                let present = items[key]
                if present?.value == value { return nil }
                return EtcdRequests.Change(key: key, value: value, base: present?.revision ?? 0)
            }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        }

        private func removeCanaries(
            _ canaries: KeyMapping, of name: String, in items: [[UInt8]: EtcdItem],
            _ values: inout [[UInt8]: [UInt8]?]
        ) throws(PrefsError) {
            let key = try canaries.key(for: name)
            let folder = key + [UInt8(ascii: "/")]
            for other in items.keys where other == key || other.starts(with: folder) {
                values[other] = .some(nil)
            }
        }

        private static func text(of value: PrefsValue, _ name: String) throws(PrefsError) -> [UInt8] {
            do { return Array(try value.json().utf8) } catch {
                throw PrefsError(error.code, key: name, reason: error.reason)
            }
        }

        private func removeFromObjects(
            above name: String, in items: [[UInt8]: EtcdItem], _ values: inout [[UInt8]: [UInt8]?]
        ) {
            let parts = PrefsPath(name).components
            for count in 1..<max(1, parts.count) {
                let above = PrefsPath(components: Array(parts.prefix(count))).name
                guard let key = try? mapping.key(for: above), values[key] == nil, let item = items[key],
                    case .dictionary(var object) = mapping.candidate(for: item).value,
                    object.remove(at: parts.dropFirst(count)),
                    let text = try? PrefsValue.dictionary(object).json()
                else { continue }
                values[key] = object.isEmpty ? .some(nil) : Array(text.utf8)
            }
        }
    }

    extension [String: PrefsValue] {
        /// Removes the value at a path, and objects that this leaves empty; returns false if there is none.
        fileprivate mutating func remove(at path: ArraySlice<String>) -> Bool {
            guard let key = path.first, let value = self[key] else { return false }
            if path.count == 1 {
                self[key] = nil
                return true
            }
            guard case .dictionary(var object) = value, object.remove(at: path.dropFirst()) else {
                return false
            }
            self[key] = object.isEmpty ? nil : .dictionary(object)
            return true
        }
    }
#endif
