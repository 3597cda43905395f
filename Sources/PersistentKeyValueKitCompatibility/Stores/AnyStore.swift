/// Carries a store between threads.
// Sendable: the protocol requires that a store may be used from any thread. It does not require `Sendable`,
// because Foundation marks `UserDefaults` as unavailable for it.
struct AnyStore: @unchecked Sendable {
    let store: any PersistentKeyValueStore
}
