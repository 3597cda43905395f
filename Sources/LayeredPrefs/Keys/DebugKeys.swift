/// The mutability of keys that are declared as ``PersistentKeyOption/debugOnly``.
package enum DebugKeys {
    // Not inlinable: the build of this library decides, not the build of the calling module.
    #if DEBUG
        /// True if this library was built for debugging.
        package static var areMutable: Bool { true }
    #else
        /// True if this library was built for debugging.
        package static var areMutable: Bool { false }
    #endif
}
