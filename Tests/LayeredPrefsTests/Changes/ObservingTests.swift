import TestSupport
import LayeredPrefs
import LayeredPrefsTesting
import Testing

@Suite("Observing")
struct ObservingTests {
    @Test func `an observer gets the old and new values with their origins`() async throws {
        let stack = try Stack(system: ["http.port": 1])
        let received = Recorder<PrefsChange<Int>>()
        let observation = stack.storage.observe(.port, received.record)
        stack.user.update { $0["http.port"] = 2 }
        stack.user.update { $0["http.port"] = nil }
        await stack.storage.reloadAndSettle()
        #expect(received.elements.map { [$0.old.value, $0.new.value] } == [[1, 2], [2, 1]])
        #expect(received.elements.map(\.new.origin?.layer) == ["user", "system"])
        #expect(received.elements.map(\.cause) == [.write, .write])
        observation.cancel()
        stack.user.update { $0["http.port"] = 3 }
        await stack.storage.reloadAndSettle()
        #expect(received.elements.count == 2)
    }

    @Test func `an observer is not notified of changes without an effect`() async throws {
        let stack = try Stack(system: ["http.port": 1], user: ["http.port": 2])
        let received = Recorder<PrefsChange<Int>>()
        let generation = stack.storage.snapshot.generation
        let observation = stack.storage.observe(.port, received.record)
        stack.user.update { $0["http.port"] = 2 }
        #expect(stack.storage.snapshot.generation == generation)
        stack.system.update { $0["http.port"] = 3 }
        stack.user.update { $0["other"] = 3 }
        stack.overrides.update { $0["http.port"] = 2 }
        await stack.storage.reloadAndSettle()
        #expect(received.elements.isEmpty)
        observation.cancel()
    }

    @Test func `an observer of a dictionary is notified of changes below it`() async throws {
        let stack = try Stack()
        let received = Recorder<PrefsChangeSet>()
        let observation = stack.storage.observe(under: "http", received.record)
        stack.user.update { $0["http.port"] = 2 }
        stack.user.update { $0["log.level"] = "debug" }
        stack.user.update { $0["http"] = ["host": "a"] }
        await stack.storage.reloadAndSettle()
        #expect(received.elements.map { $0.changes.map(\.key) } == [["http.port"], ["http.host"]])
        observation.cancel()
    }

    @Test func `a change set lists the shadowed keys`() async throws {
        let stack = try Stack(user: ["a": 1])
        let received = Recorder<PrefsChangeSet>()
        let observation = stack.storage.observe(received.record)
        stack.system.update {
            $0["a"] = 2
            $0["b"] = 3
        }
        await stack.storage.reloadAndSettle()
        #expect(
            received.elements.map { $0.changes.map(\.description) } == [["b: none → 3 (system)"]])
        #expect(received.elements.map(\.shadowed) == [["a"]])
        observation.cancel()
    }

    @Test func `an observer can read, write and cancel in its callback`() async throws {
        let stack = try Stack()
        let received = Recorder<Int>()
        let storage = stack.storage
        let holder = Holder()
        holder.observation = storage.observe(.port) { change in
            received.record(storage.get(.port))
            if change.new.value < 5 {
                stack.user.update { $0["http.port"] = .integer(Int128(change.new.value + 1)) }
            } else {
                holder.observation?.cancel()
            }
        }
        stack.user.update { $0["http.port"] = 1 }
        let values = try await received.wait { $0.count == 5 }
        #expect(values == [1, 2, 3, 4, 5])
        await storage.reloadAndSettle()
    }

    @Test func `a slow observer delays only itself`() async throws {
        let stack = try Stack()
        let gate = Latch()
        let (slow, quick) = (Recorder<Int>(), Recorder<Int>())
        let first = stack.storage.observe(.port) { change in
            gate.wait()
            slow.record(change.new.value)
        }
        let second = stack.storage.observe(.port) { quick.record($0.new.value) }
        for port in 1...3 { stack.user.update { $0["http.port"] = .integer(Int128(port)) } }
        #expect(try await quick.wait { $0.count == 3 } == [1, 2, 3])
        #expect(slow.elements.isEmpty)
        gate.open()
        #expect(try await slow.wait { $0.count == 3 } == [1, 2, 3])
        first.cancel()
        second.cancel()
    }

    @Test func `a stream of values begins with the current one`() async throws {
        let stack = try Stack(user: ["http.port": 1])
        var values = stack.storage.values(for: .port).makeAsyncIterator()
        #expect(await values.next() == 1)
        stack.user.update { $0["http.port"] = 2 }
        #expect(await values.next() == 2)
    }
}

/// A holder of an observation that its own callback cancels.
private final class Holder: @unchecked Sendable {
    // Sendable: set before the first change and only read afterwards.
    var observation: PrefsObservation?
}
