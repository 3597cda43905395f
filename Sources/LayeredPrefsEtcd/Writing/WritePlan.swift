#if Etcd
    import LayeredPrefs
    import PrefsDocuments

    /// The changes that store some values on the server.
    struct WritePlan {
        let mapping: KeyMapping
        /// The values by name; `nil` removes a key.
        let edits: [String: PrefsValue?]
        /// The keys of the canaries that end with these edits; `nil` if the edits themselves are canaries.
        var canaries: KeyMapping?

        /// Returns the changes that these contents need; none if they already have the values.
        ///
        /// Setting or removing `http` also removes every key below it. Removing `http.port` also removes `port`
        /// from the object that a key `http` may hold. A key that is set or removed for all hosts loses its
        /// canary.
        func changes(of items: [[UInt8]: EtcdItem]) throws(PrefsError) -> [EtcdRequests.Change] {
            var values: [[UInt8]: [UInt8]?] = [:]
            // Parents come first. So a child's edit wins over an edit of its parent.
            for (name, value) in edits.sorted(by: { $0.key < $1.key }) {
                let key = try mapping.key(for: name)
                let canary = try canaries?.key(for: name)
                for other in items.keys {
                    let isReplaced =
                        Self.isAtOrBelow(key, other) || canary.map { Self.isAtOrBelow($0, other) } ?? false
                    if isReplaced { values[other] = .some(nil) }
                }
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

        private static func isAtOrBelow(_ key: [UInt8], _ other: [UInt8]) -> Bool {
            other.starts(with: key) && (other.count == key.count || other[key.count] == UInt8(ascii: "/"))
        }

        private static func text(of value: PrefsValue, _ name: String) throws(PrefsError) -> [UInt8] {
            do { return try value.compactJSON() } catch {
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
                    let text = try? PrefsValue.dictionary(object).compactJSON()
                else { continue }
                values[key] = object.isEmpty ? .some(nil) : text
            }
        }
    }

    extension [String: PrefsValue] {
        /// Removes the value at a path, and objects that become empty. Returns false if there is no such value.
        mutating func remove(at path: ArraySlice<String>) -> Bool {
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
