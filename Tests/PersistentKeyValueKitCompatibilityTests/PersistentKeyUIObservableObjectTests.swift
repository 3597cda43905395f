#if OpenCombine
    import PersistentKeyValueKitCompatibility
    import TestSupport
    import Testing

    extension PersistentKeyProtocol where Self == PersistentKey<Int> {
        fileprivate static var volume: Self { Self("Volume", defaultValue: 5) }
        fileprivate static var balance: Self { Self("Balance", defaultValue: 0) }
    }

    @MainActor @Suite struct PersistentKeyUIObservableObjectTests {
        let store = InMemoryPersistentKeyValueStore()

        @Test func `an assignment is announced before it is stored`() {
            let volume = PersistentKeyUIObservableObject(.volume, store: store)
            #expect(volume.value == 5)
            var seen: [Int] = []
            let cancellable = volume.objectWillChange.sink { [store] in seen.append(store.get(.volume)) }
            volume.value = 7
            #expect(seen == [5])
            #expect(volume.value == 7 && store.get(.volume) == 7)
            cancellable.cancel()
        }

        @Test func `a change by others is announced when it can be read`() async {
            let volume = PersistentKeyUIObservableObject(.volume, store: store)
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let cancellable = volume.objectWillChange.sink { continuation.yield(volume.value) }
            var values = stream.makeAsyncIterator()
            store.set(.balance, to: 1)
            store.set(.volume, to: 8)
            #expect(await values.next() == 8)
            store.remove(.volume)
            #expect(await values.next() == 5)
            cancellable.cancel()
        }

        @Test func `the registration ends with the object`() {
            weak var released: PersistentKeyUIObservableObject<PersistentKey<Int>>?
            do {
                let volume = PersistentKeyUIObservableObject(.volume, store: store)
                released = volume
                #expect(volume.value == 5)
            }
            #expect(released == nil)
            store.set(.volume, to: 9)
        }

        @Test func `it observes UserDefaults`() async {
            let suite = DefaultsSuite()
            let volume = PersistentKeyUIObservableObject(.volume, store: suite.defaults)
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let cancellable = volume.objectWillChange.sink { continuation.yield(volume.value) }
            var values = stream.makeAsyncIterator()
            volume.value = 6
            #expect(await values.next() == 5)
            suite.defaults.set(.volume, to: 7)
            #expect(await values.next() == 7)
            cancellable.cancel()
        }
    }
#endif
