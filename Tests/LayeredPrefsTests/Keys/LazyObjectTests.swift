import LayeredPrefsTesting
import TestSupport
import Testing

@testable import LayeredPrefs

/// An object that many threads create at the same time.
@Suite struct LazyObjectTests {
    private final class Counted: Sendable {
        let released: Recorder<Int>
        let number: Int

        init(_ number: Int, _ released: Recorder<Int>) { (self.number, self.released) = (number, released) }

        deinit { released.record(number) }
    }

    private final class Holder: Sendable {
        let lazy = LazyObject<Counted>()
    }

    @Test func `all threads get the object that was kept first`() {
        let (kept, released, holder) = (Recorder<Int>(), Recorder<Int>(), Holder())
        #expect(holder.lazy.object == nil)
        concurrently(64) { number in
            kept.record(holder.lazy.keep(Counted(number, released)).number)
        }
        #expect(kept.elements.count == 64)
        #expect(Set(kept.elements) == [holder.lazy.object?.number])
        #expect(released.elements.count == 63)
    }

    @Test func `the object is released with its holder`() {
        let released = Recorder<Int>()
        do {
            let holder = Holder()
            #expect(holder.lazy.keep(Counted(1, released)).number == 1)
            #expect(holder.lazy.keep(Counted(2, released)).number == 1)
            #expect(released.elements == [2])
        }
        #expect(released.elements == [2, 1])
    }
}
