import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

@Suite struct OrderedObserversTests {
    private let called = Log<Int>()

    private func filled(_ numbers: Range<Int>) -> (OrderedObservers<Void>, [UInt64]) {
        var observers = OrderedObservers<Void>()
        let ids = numbers.map { number in observers.add { [called] in called.add(number) } }
        return (observers, ids)
    }

    @Test func `observers are called in the order in which they were added`() {
        var (observers, ids) = filled(0..<10)
        for index in [0, 4, 9] { _ = observers.remove(ids[index]) }
        _ = observers.add { [called] in called.add(10) }
        observers.call(with: ())
        #expect(called.all == [1, 2, 3, 5, 6, 7, 8, 10])
    }

    @Test func `an observer is removed once`() {
        var (observers, ids) = filled(0..<3)
        let areRemoved = [ids[1], ids[1], 99].map { observers.remove($0) != nil }
        #expect(areRemoved == [true, false, false])
        observers.call(with: ())
        #expect(called.all == [0, 2])
    }

    @Test func `removed observers do not slow down a call`() {
        var (observers, ids) = filled(0..<1000)
        for id in ids.dropLast(10) { _ = observers.remove(id) }
        #expect(observers.placeCount <= 20)
        observers.call(with: ())
        #expect(called.all == Array(990..<1000))
    }

    @Test func `an observer that is cancelled during a call is not called any more`() {
        let list = CallbackList<Void>()
        let second = Lock<PrefsObservation?>(nil)
        let first = list.add { [called] in
            called.add(1)
            second.withLock { $0 }?.cancel()
        }
        second.withLock { [called] in $0 = list.add { called.add(2) } }
        list.call(with: ())
        #expect(called.all == [1])
        first.cancel()
    }
}
