import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension PrefsExpansion {
    /// The values that this thread read last, so that reading one again takes no lock and touches no counter
    /// that another thread touches.
    ///
    /// Each thread has a small table of its own, found through a pthread key; a value's place in it follows
    /// from its cell's number, and a later value in the same place displaces it. A thread that reads no more
    /// keeps alive what it read last, until it ends.
    public enum ThreadCache {
        @unsafe private struct Entry {
            var cell: UInt64 = 0
            var generation: UInt64 = 0
            var box: Unmanaged<AnyObject>?
        }

        private static let size: UInt64 = 64

        private static let lastCell = Atomic<UInt64>(0)

        /// A number that no cell had before, larger than 0.
        static func nextCell() -> UInt64 { lastCell.add(1, ordering: .relaxed).newValue }

        /// What this thread keeps for a cell at a generation.
        ///
        /// The reference is good until this thread calls ``keep(_:for:at:)``, which the caller therefore must
        /// not reach before it has copied out what it wants.
        ///
        /// - Parameter key: ``key``, which each cell holds: asking for a global costs a call every time.
        public static func box(
            for cell: UInt64, at generation: UInt64, key: UInt32
        ) -> Unmanaged<AnyObject>? {
            guard let table = unsafe pthread_getspecific(pthread_key_t(key)) else { return nil }
            let entry = unsafe place(of: cell, in: table)
            guard unsafe entry.pointee.generation == generation, unsafe entry.pointee.cell == cell else {
                return nil
            }
            return unsafe entry.pointee.box
        }

        /// Keeps a box on this thread.
        static func keep(_ box: AnyObject, for cell: UInt64, at generation: UInt64) {
            guard let table = unsafe table() else { return }
            let entry = unsafe place(of: cell, in: table)
            let displaced = unsafe entry.pointee.box
            unsafe entry.pointee = unsafe Entry(
                cell: cell, generation: generation, box: Unmanaged.passRetained(box))
            // Last, because this may run a deinitializer that reads preferences.
            unsafe displaced?.release()
        }

        private static func place(
            of cell: UInt64, in table: UnsafeMutableRawPointer
        ) -> UnsafeMutablePointer<Entry> {
            unsafe table.assumingMemoryBound(to: Entry.self) + Int(cell % size)
        }

        /// This thread's table, made when it first keeps something.
        private static func table() -> UnsafeMutableRawPointer? {
            if let table = unsafe pthread_getspecific(pthread_key_t(key)) { return unsafe table }
            let entries = UnsafeMutablePointer<Entry>.allocate(capacity: Int(size))
            unsafe entries.initialize(repeating: Entry(), count: Int(size))
            guard unsafe pthread_setspecific(pthread_key_t(key), entries) == 0 else {
                unsafe entries.deallocate()
                return nil
            }
            return UnsafeMutableRawPointer(entries)
        }

        /// The pthread key under which every thread has its table.
        static let key: UInt32 = {
            var key = pthread_key_t()
            unsafe pthread_key_create(&key) { table in
                #if canImport(Darwin)
                    let table = unsafe table as UnsafeMutableRawPointer?
                #endif
                guard let entries = unsafe table?.assumingMemoryBound(to: Entry.self) else { return }
                for index in 0..<Int(ThreadCache.size) { unsafe entries[index].box?.release() }
                unsafe entries.deallocate()
            }
            return UInt32(key)
        }()
    }
}
