public import PrefsDocuments
import PrefsSystem
import Synchronization

extension PrefsStack {
    /// A record of the keys that a program has read through a stack. ``trackReads()`` begins it.
    ///
    /// A key counts as read if it was read with ``get(_:fileID:line:)`` or as a property of a schema, or if it is
    /// observed or followed. The record does not include values from a ``PrefsSnapshot`` or from another storage.
    /// It also misses a cached value that a thread had read before the record began.
    public final class Reads: Sendable {
        /// A key that was read.
        public struct Key: Sendable, Hashable {
            /// The key's name.
            public var name: String
            /// The stored form of the key's default, or `nil` if the key has no default or is secret.
            public var defaultValue: PrefsValue?
            /// The place of the value at the first read, or `nil` if the default was effective.
            public var origin: PrefsOrigin?
            /// The source line of the first read, such as `Server/Main.swift:42`.
            ///
            /// The line is `nil` if the first read was through a property, an observation or a sequence.
            public var location: String?
        }

        private let known = Lock<[String: Key]>([:])

        /// The keys that the program has read, sorted by name.
        public var keys: [Key] { known.withLock { $0.values.sorted { $0.name < $1.name } } }

        /// Returns true at the first read of a key.
        fileprivate func begin(_ name: String) -> Bool {
            known.withLock { known in
                guard known[name] == nil else { return false }
                known[name] = Key(name: name)
                return true
            }
        }

        fileprivate func complete(_ key: Key) { known.withLock { $0[key.name] = key } }
    }

    /// Begins to record the keys that the program reads, and returns the record. Later calls return the same
    /// record.
    ///
    /// Call this method before the program reads, for example in a test of the whole program. To find dead
    /// settings, print ``unreadKeys`` at the end.
    ///
    /// Without a record, reads cost nothing extra. With a record, only the first read of a key by each thread in
    /// each generation costs more.
    @discardableResult
    public func trackReads() -> Reads { trackedReads.storeIfNil(Reads()) }

    /// The record that ``trackReads()`` has begun, or `nil` if there is none.
    public var reads: Reads? { trackedReads.load() }

    /// The declared keys that the program has not read since ``trackReads()``, sorted. Without a record, the list
    /// is empty.
    ///
    /// The keys of a schema are declared when the schema is created, and a key is declared when it is observed.
    /// You can declare any other key with ``declare(_:)``.
    public var unreadKeys: [String] {
        guard let reads else { return [] }
        let declared = engine.state.withLock { $0.composition.known.names.map(\.name) }
        return Set(declared).subtracting(reads.keys.map(\.name)).sorted()
    }

    /// Records a read, if reads are recorded. It is called when no cache has answered the read.
    func noteRead(of key: PersistentKey<some Sendable>, _ fileID: StaticString = "", _ line: UInt = 0) {
        guard let reads, reads.begin(key.id) else { return }
        let origin = snapshot.resolution(for: key).origin
        let defaultValue = key.name.isSecret ? nil : key.storedDefault
        let location = line > 0 ? "\(fileID):\(line)" : nil
        reads.complete(
            Reads.Key(name: key.id, defaultValue: defaultValue, origin: origin, location: location))
    }
}
