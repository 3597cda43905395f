import PrefsSystem
#if OpenCombine
    import FileWatching
    import LayeredPrefs
    import LayeredPrefsOpenCombine
    import LayeredPrefsTesting
    import OpenCombine
    import Synchronization
    import Testing

    extension PersistentKey where Value == Int {
        fileprivate static var count: Self { Self("count", defaultValue: 0) }
    }

    @Suite struct PersistentKeyValuePublisherTests {
        let storage = CountingStorage()

        @Test func `the current value is published first and then changes`() throws {
            let seen = Recorder<Int>()
            let cancellable = storage.publisher(for: .count).sink { seen.record($0) }
            for value in [1, 1, 2] { try storage.set(.count, to: value) }
            #expect(seen.elements == [0, 1, 2])
            cancellable.cancel()
            try storage.set(.count, to: 3)
            #expect(seen.elements == [0, 1, 2])
            #expect(storage.registered == 1 && storage.deregistered == 1)
        }

        @Test func `operators apply to the changes publisher`() throws {
            let seen = Recorder<String>()
            var kept: Set<AnyCancellable> = []
            storage.changesPublisher(for: .count).filter { $0 > 1 }.map { "\($0)" }
                .sink { seen.record($0) }.store(in: &kept)
            for value in 1...3 { try storage.set(.count, to: value) }
            #expect(seen.elements == ["2", "3"])
            kept = []
            #expect(storage.deregistered == 1)
        }

        @Test func `a sequence of values is available as a publisher`() throws {
            let seen = Recorder<Int>()
            let cancellable = storage.values(for: .count).publisher.map { $0 * 2 }.sink { seen.record($0) }
            try storage.set(.count, to: 4)
            #expect(seen.elements == [0, 8])
            cancellable.cancel()
        }

        @Test func `no value is delivered without demand`() throws {
            let subscriber = Asking()
            storage.publisher(for: .count).subscribe(subscriber)
            for value in 1...3 { try storage.set(.count, to: value) }
            #expect(subscriber.seen.elements == [])
            subscriber.ask(.max(1))
            #expect(subscriber.seen.elements == [0])
            subscriber.ask(.max(2))
            #expect(subscriber.seen.elements == [0, 3])
            try storage.set(.count, to: 4)
            try storage.set(.count, to: 5)
            #expect(subscriber.seen.elements == [0, 3, 4])
            subscriber.ask(.unlimited)
            try storage.set(.count, to: 6)
            #expect(subscriber.seen.elements == [0, 3, 4, 5, 6])
            subscriber.cancel()
            #expect(storage.deregistered == 1)
        }

        @Test(arguments: [
            (PersistentKeyValues<Int>.BufferingPolicy.unbounded, [1, 2, 3, 4]),
            (.bufferingNewest(2), [3, 4]), (.bufferingOldest(2), [1, 2]), (.bufferingNewest(0), []),
        ])
        func `the buffering policy decides which changes wait`(
            _ policy: PersistentKeyValues<Int>.BufferingPolicy, _ expected: [Int]
        ) throws {
            let subscriber = Asking()
            storage.changesPublisher(for: .count, bufferingPolicy: policy).subscribe(subscriber)
            for value in 1...4 { try storage.set(.count, to: value) }
            subscriber.ask(.unlimited)
            #expect(subscriber.seen.elements == expected)
            subscriber.cancel()
        }

        @Test func `demand returned by the subscriber counts`() throws {
            let subscriber = Asking(more: 1)
            storage.publisher(for: .count, bufferingPolicy: .unbounded).subscribe(subscriber)
            for value in 1...3 { try storage.set(.count, to: value) }
            subscriber.ask(.max(1))
            #expect(subscriber.seen.elements == [0, 1, 2, 3])
            subscriber.cancel()
        }

        @Test func `a released subscription deregisters exactly once`() {
            storage.publisher(for: .count).subscribe(Asking(keeps: false))
            #expect(storage.registered == 1 && storage.deregistered == 1)
        }

        @Test func `a subscriber may write and demand and cancel while it receives a value`() throws {
            let seen = Recorder<Int>()
            let kept = Kept()
            kept.hold(
                storage.changesPublisher(for: .count, bufferingPolicy: .unbounded).sink { [storage] value in
                    seen.record(value)
                    if value < 3 { _ = try? storage.set(.count, to: value + 1) } else { kept.cancel() }
                })
            try storage.set(.count, to: 1)
            try storage.set(.count, to: 9)
            #expect(seen.elements == [1, 2, 3])
            #expect(storage.deregistered == 1)
        }

        @Test func `a stack delivers every value in order on a thread of the loop`() async throws {
            let overrides = DictionaryPrefsStorage()
            let stack = PrefsStack { PrefsLayer(.overrides, overrides) }
            let seen = Recorder<Int>()
            let cancellable = stack.publisher(for: .count, bufferingPolicy: .unbounded)
                .sink { seen.record($0) }
            #expect(seen.elements == [0])
            for value in 1...1000 { try overrides.set(.count, to: value) }
            await stack.reloadAndSettle()
            #expect(seen.elements == Array(0...1000))
            cancellable.cancel()
        }

        @Test func `concurrent cancellation and writing leave no registration`() async {
            for round in 1...100 {
                let subscriber = Asking()
                storage.publisher(for: .count).subscribe(subscriber)
                await withTaskGroup { group in
                    group.addTask { subscriber.ask(.unlimited) }
                    group.addTask { for value in 1...10 { _ = try? storage.set(.count, to: value * round) } }
                    group.addTask { subscriber.cancel() }
                }
            }
            #expect(storage.registered == 100 && storage.deregistered == 100)
        }
    }

    /// A subscriber whose demand the test controls.
    private final class Asking: Subscriber, Sendable {
        // Sendable: any thread may use the library's subscriptions.
        private struct Held: @unchecked Sendable { var subscription: (any Subscription)? }

        let seen = Recorder<Int>()
        private let held = Lock(Held())
        private let more: Int
        private let keeps: Bool

        init(more: Int = 0, keeps: Bool = true) {
            self.more = more
            self.keeps = keeps
        }

        func receive(subscription: any Subscription) {
            let held = Held(subscription: keeps ? subscription : nil)
            self.held.withLock { $0 = held }
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            seen.record(input)
            return .max(more)
        }

        func receive(completion: Subscribers.Completion<Never>) {}

        func ask(_ demand: Subscribers.Demand) { held.withLock { $0 }.subscription?.request(demand) }

        func cancel() { held.withLock { $0 }.subscription?.cancel() }
    }

    private final class Kept: Sendable {
        // Sendable: any thread may cancel.
        private struct Held: @unchecked Sendable { var cancellable: AnyCancellable? }

        private let held = Lock(Held())

        func hold(_ cancellable: AnyCancellable) {
            let value = Held(cancellable: cancellable)
            held.withLock { $0 = value }
        }

        func cancel() { held.withLock { $0 }.cancellable?.cancel() }
    }

    /// A storage that counts registrations.
    final class CountingStorage: PrefsStorage {
        private let base = DictionaryPrefsStorage()
        private let counts = Lock((registered: 0, deregistered: 0))

        var registered: Int { counts.withLock { $0.registered } }
        var deregistered: Int { counts.withLock { $0.deregistered } }

        var snapshot: PrefsSnapshot { base.snapshot }
        var changeSource: PrefsChangeSource? { base.changeSource }

        @discardableResult
        func setValue(_ value: PrefsValue?, forKey key: String) throws -> PrefsWriteOutcome {
            try base.setValue(value, forKey: key)
        }

        func _registerObserver(
            under key: String, _ body: @escaping @Sendable () -> Void
        ) -> PrefsObservation? {
            counts.withLock { $0.registered += 1 }
            let inner = base._registerObserver(under: key, body)
            return PrefsObservation { [self] in
                counts.withLock { $0.deregistered += 1 }
                inner?.cancel()
            }
        }
    }
#endif
