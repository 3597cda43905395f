#if Macros
    import PrefsDocuments
    import Synchronization

    extension PrefsExpansion {
        /// The values of a schema that have been read from its snapshots.
        ///
        /// Observation follows each of these values like a property. A snapshot also has values of groups, which
        /// are other objects and are created at their first use. So each key has a registrar of its own here, and
        /// none of the classes is involved.
        public final class SnapshotReads: Sendable {
            private let keys: [Key]
            private let indices: [String: Int]
            /// The keys' numbers, at the paths where their values may be stored.
            private let places: KeyTrie<Int>

            init(of descriptions: [PrefsKeyDescription]) {
                keys = descriptions.map(Key.init)
                indices = Dictionary(descriptions.indices.map { (descriptions[$0].name, $0) }) { first, _ in
                    first
                }
                var places = KeyTrie<Int>()
                for (number, key) in descriptions.enumerated() { places.add(number, at: key.names.paths) }
                self.places = places
            }

            /// Registers the read of a key's value with the observation that is under way on this thread, if there is one.
            func access(_ name: String) {
                if let index = indices[name] { keys[index].access() }
            }

            /// Returns the keys that have been read and whose values differ between two states.
            func changes(from old: PrefsSnapshot, to new: PrefsSnapshot) -> [Key] {
                let touched = new.knownChanges(since: old).map { places.elements(touchedBy: $0) }
                return (touched ?? Array(keys.indices)).map { keys[$0] }.filter {
                    $0.differs(between: old, and: new)
                }
            }

            /// A key, as observation knows it.
            final class Key: Observable, Sendable {
                private let description: PrefsKeyDescription
                private let registrar = ObservationRegistrar()
                private let isRead = Atomic(false)

                /// The property that is observed.
                private var value: Void { () }
                private static let path = \Key.value

                init(_ description: PrefsKeyDescription) { self.description = description }

                fileprivate func access() {
                    registrar.access(self, keyPath: Self.path)
                    if !isRead.load(ordering: .relaxed) { isRead.store(true, ordering: .releasing) }
                }

                fileprivate func differs(between old: PrefsSnapshot, and new: PrefsSnapshot) -> Bool {
                    isRead.load(ordering: .acquiring)
                        && description.value(in: old) != description.value(in: new)
                }

                func willChange() { registrar.willSet(self, keyPath: Self.path) }

                func didChange() { registrar.didSet(self, keyPath: Self.path) }
            }
        }
    }
#endif
