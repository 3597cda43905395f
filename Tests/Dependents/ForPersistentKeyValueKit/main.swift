import PersistentKeyValueKitCompatibility

enum RuntimeColorScheme: String, KeyValuePersistible {
    case dark, light, system

    static var persistentKeyValueRepresentation: some PersistentKeyValueRepresentation<Self> {
        RawRepresentablePersistentKeyValueRepresentation()
    }
}

extension PersistentKeyProtocol where Self == PersistentKey<RuntimeColorScheme> {
    static var runtimeColorScheme: Self { Self("RuntimeColorScheme", defaultValue: .system) }
}

let store = InMemoryPersistentKeyValueStore()
precondition(store.get(.runtimeColorScheme) == .system)
store.set(.runtimeColorScheme, to: .dark)
precondition(store.get(.runtimeColorScheme) == .dark)
func follow() async {
    var values = store.values(for: .runtimeColorScheme).makeAsyncIterator()
    store.remove(.runtimeColorScheme)
    let (first, second) = (await values.next(), await values.next())
    precondition(first == .dark && second == .system)
}

await follow()

#if DefaultTraits
    UserDefaults.standard.register(PersistentKey<RuntimeColorScheme>.runtimeColorScheme)
    UserDefaults.standard.set(.runtimeColorScheme, to: .light)
    precondition(UserDefaults.standard.get(.runtimeColorScheme) == .light)
#endif
