import PrefsSystem
import Testing

@testable import FileWatching

@Suite struct WatchTableTests {
    private var table = WatchTable()

    @Test mutating func `an event reaches only the paths that looked up the name`() {
        table.use(7, name: "f", by: 1)
        table.use(7, name: "g", by: 2)
        #expect(table.paths(lookingUp: "f", in: 7) == [1])
        #expect(table.paths(lookingUp: "h", in: 7).isEmpty)
        #expect(table.paths(through: 7) == [1, 2])
    }

    @Test mutating func `a shared watch is idle when its last user releases it`() {
        table.use(7, name: "f", by: 1)
        table.use(7, asEndBy: 2)
        table.release(7, name: "f", by: 1)
        #expect(table.takeIdle().isEmpty)
        table.release(7, asEndBy: 2)
        #expect(table.takeIdle() == [7])
        #expect(table.takeIdle().isEmpty)
    }

    @Test mutating func `an idle watch that is used again is kept`() {
        table.use(7, name: "f", by: 1)
        table.release(7, name: "f", by: 1)
        table.use(7, name: "f", by: 1)
        #expect(table.takeIdle().isEmpty)
    }

    @Test mutating func `a watch that the kernel ended is not removed again`() {
        table.use(7, asEndBy: 1)
        table.forget(7)
        table.release(7, asEndBy: 1)
        #expect(table.takeIdle().isEmpty)
    }
}
