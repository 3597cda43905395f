import TestSupport
import PrefsSystem
import Testing

@testable import LayeredPrefs

extension PersistentKey where Value == Int {
    fileprivate static var count: Self { Self("some.count", defaultValue: 0) }
    fileprivate static var limit: Self { Self("some.limit", defaultValue: 0) }
}

/// Streams and callbacks over a stack deliver every committed value, in the order of the generations.
@Suite struct LayeredStreamsTests {
    private let overrides = DictionaryPrefsStorage()
    private let diagnostics = PrefsDiagnosticHandler()
    /// Discards the intended diagnostics of rejected values.
    private let quiet: PrefsObservation
    private let storage: PrefsStack

    init() {
        let overrides = overrides
        quiet = diagnostics.subscribe { _ in }
        storage = PrefsStack(diagnostics: diagnostics) {
            PrefsLayer.defaults(["some.count": 0])
            PrefsLayer(.overrides, overrides)
        }
    }

    private func write(_ value: Int) { overrides.update { $0["some.count"] = value.prefsValue } }

    private var hasObservers: Bool { !storage.engine.transitions.isEmpty }

    /// Returns the elements of a stream up to the last value. No stream may lose that value, so the test ends.
    private func rest<Value>(
        of values: inout PersistentKeyValues<Value>.Iterator, until isLast: (Value) -> Bool
    ) async -> [Value] {
        var seen: [Value] = []
        while let value = await values.next() {
            seen.append(value)
            if isLast(value) { break }
        }
        return seen
    }

    private func rest(of values: inout PersistentKeyValues<Int>.Iterator, until last: Int) async -> [Int] {
        await rest(of: &values) { $0 == last }
    }

    @Test func `an unbounded stream delivers each of a thousand rapid writes`() async {
        var changes = storage.changes(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
        for value in 1...1000 { write(value) }
        #expect(await rest(of: &changes, until: 1000) == Array(1...1000))
    }

    @Test func `all observers see the changes of many writers in the same order`() async {
        let (wrapped, received) = (ErasedStorage(storage), Log<PrefsChange<Int>>())
        var first = storage.values(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
        var second = wrapped.values(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
        let observation = storage.observe(.count) { received.add($0) }
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    for value in 1...250 {
                        _ = try? storage.set(.count, to: writer * 250 + value, in: .overrides)
                    }
                }
            }
        }
        write(-1)
        await storage.settled()
        let values = await rest(of: &first, until: -1)
        #expect(values.first == 0)
        // Writes by several threads may be committed together. Writes by one thread never are.
        for writer in 0..<4 {
            let own = values.filter { (writer * 250 + 1...writer * 250 + 250).contains($0) }
            #expect(own == own.sorted() && Set(own).count == own.count)
        }
        #expect(await rest(of: &second, until: -1) == values)
        // An observer that falls far behind receives several changes as one change.
        let changes = received.all
        #expect(changes.map(\.generation) == changes.map(\.generation).sorted())
        #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.new.value == $1.old.value })
        let places = changes.compactMap { values.firstIndex(of: $0.new.value) }
        #expect(places == places.sorted() && places.last == values.count - 1)
        observation.cancel()
    }

    @Test func `a storage outside a stack delivers every value, too`() async throws {
        var values = overrides.values(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    for value in 1...250 { _ = try? overrides.set(.count, to: writer * 250 + value) }
                }
            }
        }
        try overrides.set(.count, to: -1)
        let seen = await rest(of: &values, until: -1)
        #expect(seen.first == 0 && seen.sorted() == Array(-1...1000))
    }

    @Test func `the newest value is kept beside the initial one`() async {
        var values = storage.values(for: .count).makeAsyncIterator()
        for value in 1...1000 { write(value) }
        await storage.settled()
        #expect(await values.next() == 0)
        #expect(await values.next() == 1000)
    }

    @Test func `successive equal values are delivered once`() async {
        var values = storage.values(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
        for value in [0, 1, 1, 2] { write(value) }
        overrides.update { $0["some.count"] = "many" }
        write(0)
        write(3)
        #expect(await rest(of: &values, until: 3) == [0, 1, 2, 0, 3])
    }

    /// An iterator that is created during another thread's writes starts at any value, and misses none after it.
    @Test func `no change is lost between registering and the first value`() async {
        let writer = Task { for value in 1...5000 { write(value) } }
        for _ in 1...50 {
            var values = storage.values(for: .count, bufferingPolicy: .unbounded).makeAsyncIterator()
            guard let first = await values.next() else { break }
            guard first < 5000 else { break }
            let last = min(first + 20, 5000)
            let seen = await rest(of: &values) { $0 >= last }
            #expect(seen == Array((first + 1)...last))
        }
        await writer.value
        #expect(!hasObservers)
    }

    @Test func `each old value is the previous new value`() async {
        let seen = Log<ValueChange<Int>>()
        let observation = storage.observe(.count) { seen.add(ValueChange($0)) }
        for value in 1...1000 { write(value) }
        await storage.settled()
        // Changes that come too fast for the observer are delivered as one change.
        let changes = seen.all
        #expect(changes.map(\.old) == [0] + changes.dropLast().map(\.new))
        #expect(changes.last?.new == 1000)
        observation.cancel()
        #expect(!hasObservers)
    }

    @Test func `a sink receives the current value and later ones in order`() async {
        write(5)
        let seen = Log<Int>()
        let observation = storage.values(for: .count).sink { seen.add($0) }
        #expect(seen.all == [5])
        for value in 6...500 { write(value) }
        await storage.settled()
        // Changes that come too fast for the sink are delivered as one change.
        #expect(zip(seen.all, seen.all.dropFirst()).allSatisfy(<))
        #expect(seen.all.last == 500)
        observation.cancel()
    }

    @Test func `an observer may write without looping`() async {
        let seen = Log<ValueChange<Int>>()
        let observation = storage.observe(.count) { [self] change in
            seen.add(ValueChange(change))
            write(min(change.new.value, 3))
        }
        write(9)
        await storage.settled()
        await storage.settled()
        #expect(seen.all == [ValueChange(old: 0, new: 9), ValueChange(old: 9, new: 3)])
        observation.cancel()
    }

    @Test func `tuples are delivered once per generation`() async throws {
        var values = storage.values(for: .count, .limit, bufferingPolicy: .unbounded).makeAsyncIterator()
        for value in 1...500 {
            try storage.transaction {
                $0.set(.count, to: value, in: .overrides)
                $0.set(.limit, to: -value, in: .overrides)
            }
        }
        let seen = await rest(of: &values) { $0.0 == 500 }
        #expect(seen.map(\.0) == Array(0...500))
        #expect(seen.map(\.1) == (0...500).map(-))
    }

    @Test func `streams ignore the overrides of a task`() async {
        await storage.withOverrides(["some.count": 7]) {
            var values = storage.values(for: .count).makeAsyncIterator()
            #expect(await values.next() == 0)
        }
    }

    @Test func `a value rejected by a streamed key is reported`() async throws {
        let rejected = Log<String?>()
        let subscription = diagnostics.subscribe { rejected.add($0.error.key) }
        let values = storage.values(for: .count).makeAsyncIterator()
        try overrides.setValue("many", forKey: "some.count")
        #expect(rejected.all == ["some.count"])
        subscription.cancel()
        withExtendedLifetime(values) {}
    }

    @Test func `a stream keeps its stack alive until it is released`() async {
        weak var stack: PrefsStack?
        do {
            let layer = DictionaryPrefsStorage()
            var values: PersistentKeyValues<Int>.Iterator?
            do {
                let made = PrefsStack { PrefsLayer(.overrides, layer) }
                stack = made
                values = made.values(for: .count).makeAsyncIterator()
            }
            layer.update { $0["some.count"] = 4 }
            #expect(await values?.next() == 0)
            #expect(await values?.next() == 4)
            await stack?.settled()
            values = nil
        }
        #expect(stack == nil)
    }

    @Test func `racing cancellation, release and writes leave no registration`() async {
        for round in 1...100 {
            let task = Task { for await value in storage.values(for: .count) where value == -1 { return } }
            let release = Task {
                var values: PersistentKeyValues<Int>.Iterator? = storage.changes(for: .count)
                    .makeAsyncIterator()
                write(round)
                _ = await values?.next()
                values = nil
            }
            let sink = Task { storage.values(for: .count).sink { _ in write(-round) }.cancel() }
            let writer = Task { for value in 1...10 { write(value * round) } }
            task.cancel()
            if round.isMultiple(of: 2) { release.cancel() }
            for task in [task, release, sink, writer] { await task.value }
        }
        #expect(!hasObservers)
    }
}

/// The values that an observer was notified of.
final class Log<Element: Sendable>: Sendable {
    private let elements = Lock<[Element]>([])

    var all: [Element] { elements.withLock { $0 } }

    func add(_ element: Element) { elements.withLock { $0.append(element) } }
}
