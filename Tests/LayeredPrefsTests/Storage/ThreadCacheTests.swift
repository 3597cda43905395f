import PrefsSystem
import TestSupport
import Dispatch
import Synchronization
import Testing

@testable import LayeredPrefs

/// One test at a time, because the number of objects that a thread keeps depends on how many numbers exist.
@Suite(.serialized) struct ThreadCacheTests {
    @Test func `a thread finds the object that it kept`() {
        let place = Place()
        let kept = Witness()
        #expect(place.found(at: 7) == nil)
        ThreadCache.keep(kept, for: place.number, at: 7)
        #expect(place.found(at: 7) === kept)
        #expect(place.found(at: 8) == nil)
        #expect(Place().found(at: 7) == nil)
    }

    @Test func `another thread finds nothing`() throws {
        let place = Place()
        ThreadCache.keep(Witness(), for: place.number, at: 7)
        let found = Lock<Bool?>(nil)
        try onAnotherThread { found.withLock { $0 = place.found(at: 7) != nil } }
        #expect(found.withLock { $0 } == false)
    }

    @Test func `a later generation releases the earlier object`() {
        let place = Place()
        weak let earlier = keepWitness(at: 1, in: place)
        #expect(earlier != nil)
        weak let later = keepWitness(at: 2, in: place)
        #expect(earlier == nil)
        #expect(later != nil)
    }

    @Test func `many numbers keep their objects at the same time`() {
        let places = (0..<1000).map { _ in Place() }
        let kept = places.map { _ in Witness() }
        for (place, object) in zip(places, kept) { ThreadCache.keep(object, for: place.number, at: 1) }
        // Tests that run at the same time hold numbers, too, so two of these numbers may share an entry.
        let last = Dictionary(zip(places.map(\.entry), places.indices), uniquingKeysWith: { max($0, $1) })
        #expect(last.count > 500)
        #expect(last.values.allSatisfy { places[$0].found(at: 1) === kept[$0] })
    }

    @Test func `an object is still found when the thread's table has grown around empty entries`() throws {
        let places = (0..<1000).map { _ in Place() }
        // An empty entry has the number 0. In tables of up to 128 entries, that number leads to the first
        // place's entry.
        let first = try #require(places.first { $0.entry % 128 == 0 })
        let competing = try #require(places.first { $0.entry % 16 == 0 && $0.entry != first.entry })
        let isFound = Lock(false)
        try onAnotherThread {
            let kept = Witness()
            ThreadCache.keep(kept, for: first.number, at: 1)
            ThreadCache.keep(Witness(), for: competing.number, at: 1)
            isFound.withLock { $0 = first.found(at: 1) === kept }
        }
        #expect(isFound.withLock { $0 })
    }

    @Test func `numbers beyond the capacity displace each other`() {
        let places = (0..<10_000).map { _ in Place() }
        let alive = Tally()
        for place in places { ThreadCache.keep(Witness(alive), for: place.number, at: 1) }
        #expect(alive.count < 5000)
        #expect(places.last?.found(at: 1) != nil)
    }

    @Test func `releasing a number releases its object`() {
        weak let kept = keepWitness(at: 1, in: Place())
        #expect(kept == nil)
    }

    @Test func `a number that reuses a slot does not find the previous object`() {
        for _ in 0..<100 {
            let place = Place()
            #expect(place.found(at: 1) == nil)
            ThreadCache.keep(Witness(), for: place.number, at: 1)
        }
    }

    @Test func `a thread releases its objects when it ends`() throws {
        let place = Place()
        let alive = Tally()
        try onAnotherThread { ThreadCache.keep(Witness(alive), for: place.number, at: 1) }
        #expect(alive.isZero(within: .seconds(60)))
    }

    @Test func `a deinitializer at the end of a thread may read preferences`() throws {
        let (first, second) = (Place(), Place())
        let alive = Tally()
        try onAnotherThread {
            let last = Witness(alive)
            let reader = Reader(keeping: last, in: second)
            ThreadCache.keep(reader, for: first.number, at: 1)
        }
        #expect(alive.isZero(within: .seconds(60)))
    }

    @Test func `a deinitializer of a displaced object may read preferences`() {
        let (first, second) = (Place(), Place())
        let (last, newer) = (Witness(), Witness())
        ThreadCache.keep(Reader(keeping: last, in: second), for: first.number, at: 1)
        ThreadCache.keep(newer, for: first.number, at: 2)
        #expect(first.found(at: 2) === newer)
        #expect(second.found(at: 1) === last)
        // The same is true in the object's own place, where the reader's write comes last.
        ThreadCache.keep(Reader(keeping: last, in: first), for: first.number, at: 3)
        ThreadCache.keep(newer, for: first.number, at: 4)
        #expect(first.found(at: 1) === last)
    }

    @Test func `short-lived threads leave no objects behind`() throws {
        let alive = Tally()
        for _ in 0..<200 {
            try onAnotherThread {
                for _ in 0..<50 { ThreadCache.keep(Witness(alive), for: Place().number, at: 1) }
            }
        }
        #expect(alive.isZero(within: .seconds(60)))
    }
}

/// A number that can be passed around.
private final class Place: Sendable {
    let number = ThreadCache.Number()

    /// The entry that the number uses in a thread's largest table (`largest` in ThreadSlots.c).
    var entry: UInt64 { number.value % 4096 }

    func found(at generation: UInt64) -> AnyObject? {
        unsafe ThreadCache.box(for: number, at: generation)?.takeUnretainedValue()
    }
}

/// A count of live objects.
private final class Tally: Sendable {
    private let number = Atomic<Int>(0)
    private let changed = DispatchSemaphore(value: 0)

    var count: Int { number.load(ordering: .sequentiallyConsistent) }

    func add(_ difference: Int) {
        number.add(difference, ordering: .sequentiallyConsistent)
        changed.signal()
    }

    func isZero(within timeout: DispatchTimeInterval) -> Bool {
        let deadline = DispatchTime.now() + timeout
        while count != 0 {
            if changed.wait(timeout: deadline) == .timedOut { return false }
        }
        return true
    }
}

private final class Witness: Sendable {
    private let alive: Tally?

    init(_ alive: Tally? = nil) {
        self.alive = alive
        alive?.add(1)
    }

    deinit { alive?.add(-1) }
}

/// An object whose deinitializer keeps another object, like a deinitializer that reads a preference.
private final class Reader: Sendable {
    private let object: Witness
    private let place: Place

    init(keeping object: Witness, in place: Place) {
        self.object = object
        self.place = place
    }

    deinit { ThreadCache.keep(object, for: place.number, at: 1) }
}

private func keepWitness(at generation: UInt64, in place: Place) -> Witness? {
    let witness = Witness()
    ThreadCache.keep(witness, for: place.number, at: generation)
    return witness
}

/// Runs a closure on its own thread and waits until the closure returns. The thread ends slightly later.
private func onAnotherThread(_ body: @escaping @Sendable () -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    try #require(
        BackgroundThread.start(named: "another") {
            body()
            done.signal()
        })
    done.wait()
}
