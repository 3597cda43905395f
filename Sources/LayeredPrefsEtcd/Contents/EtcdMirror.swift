#if Etcd
    /// A copy of the server's items under the prefixes that are followed.
    struct EtcdMirror {
        /// The items by key.
        private(set) var items: [[UInt8]: EtcdItem] = [:]
        /// The header of the last list or message. Its revision is that of the contents: the last change that is
        /// part of them.
        private(set) var header = EtcdHeader()

        /// A changed item; `nil` if it was removed.
        typealias Changes = [[UInt8]: EtcdItem?]

        init() {}

        init(items: [EtcdItem], header: EtcdHeader) { _ = replace(with: items, header: header) }

        private mutating func set(_ item: EtcdItem?, at key: [UInt8], noting changes: inout Changes) {
            items[key] = item
            changes[key] = .some(item)
        }

        /// Takes a complete list, and returns what differs from the contents before, the removed items
        /// included.
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

        /// Takes items that were read otherwise than by the watch, which will send some of their changes again.
        ///
        /// The revision stays that of the watch.
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

        /// Takes the events of a watch that began after the contents, and returns what differs.
        ///
        /// Events that are not newer than the item they concern are duplicates, which servers are known to send.
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
