#if Etcd
    /// A copy of the server's items under the followed prefixes.
    struct EtcdMirror {
        /// The items by key.
        private(set) var items: [[UInt8]: EtcdItem] = [:]
        /// The header of the last list or message. The contents include the changes up to its revision, and
        /// sometimes merged items that are newer.
        private(set) var header = EtcdHeader()

        /// The changed items by key; `nil` for a removed item.
        typealias Changes = [[UInt8]: EtcdItem?]

        init() {}

        init(items: [EtcdItem], header: EtcdHeader) { _ = replace(with: items, header: header) }

        private mutating func set(_ item: EtcdItem?, at key: [UInt8], noting changes: inout Changes) {
            items[key] = item
            changes[key] = .some(item)
        }

        /// Replaces the contents with a complete list. Returns the differences, including removed items.
        mutating func replace(with list: [EtcdItem], header: EtcdHeader) -> Changes {
            var changes: Changes = [:]
            var rest = items
            for item in list where rest.removeValue(forKey: item.key) != item {
                set(item, at: item.key, noting: &changes)
            }
            for key in rest.keys {
                set(nil, at: key, noting: &changes)
            }
            self.header = header
            return changes
        }

        /// Merges items that did not come from the watch. The watch will send some of their changes again.
        ///
        /// The mirror keeps the watch's revision.
        mutating func merge(_ others: [[UInt8]: EtcdItem], header: EtcdHeader) -> Changes {
            var changes: Changes = [:]
            for (key, item) in others where item.revision > items[key]?.revision ?? 0 {
                set(item, at: key, noting: &changes)
            }
            for (key, item) in items where others[key] == nil && item.revision <= header.revision {
                set(nil, at: key, noting: &changes)
            }
            return changes
        }

        /// Applies the events of a watch that follows the contents. Returns the differences.
        ///
        /// An event that is not newer than its item is a duplicate. Servers are known to send duplicates.
        mutating func apply(_ events: [EtcdEvent], header: EtcdHeader) -> Changes {
            var changes: Changes = [:]
            for event in events {
                switch event {
                case .put(let item):
                    guard item.revision > items[item.key]?.revision ?? 0 else { continue }
                    set(item, at: item.key, noting: &changes)
                case .delete(let key, let revision):
                    guard let known = items[key], revision > known.revision else { continue }
                    set(nil, at: key, noting: &changes)
                }
            }
            let revision = events.reduce(self.header.revision) { max($0, $1.revision) }
            self.header = EtcdHeader(
                clusterID: header.clusterID, revision: revision, raftTerm: header.raftTerm)
            return changes
        }
    }
#endif
