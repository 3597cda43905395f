import Foundation
import LayeredPrefsTesting
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Handlers that throw, are slow, or end, each in turn, while edits come in quick succession.
///
/// `LAYEREDPREFS_SECONDS` sets the duration; the default is short.
@Suite struct ApplySoakTests: StackSuite {
    struct Parts: Codable, Sendable, Equatable {
        var a = 0
        var b = 0
        var c = 0
    }

    struct Rejected: Error {}

    /// A handler of one part, and a record of its work.
    final class Subject: Sendable {
        enum Trouble: CaseIterable { case none, throwing, slow }

        private struct State {
            var trouble = Trouble.none
            /// The value that the handler uses.
            var used: Int?
            /// The values that the handler has prepared and not closed, by number.
            var open: [Int: Int] = [:]
            var prepared = 0
            var closed = 0
            var closedTwice = 0

            /// Closes a prepared value and returns it.
            mutating func close(_ number: Int) -> Int? {
                closed += 1
                if open[number] == nil { closedTwice += 1 }
                return open.removeValue(forKey: number)
            }
        }

        let part: any KeyPath<Parts, Int> & Sendable
        let isTwoPhase: Bool
        private let state = Lock(State())
        /// Holds up calls while the handler is slow.
        private let latch = Lock(AsyncLatch())

        init(_ part: any KeyPath<Parts, Int> & Sendable, isTwoPhase: Bool) {
            (self.part, self.isTwoPhase) = (part, isTwoPhase)
        }

        var used: Int? { state.withLock { $0.used } }
        var openCount: Int { state.withLock { $0.open.count } }
        var counts: (prepared: Int, closed: Int, closedTwice: Int) {
            state.withLock { ($0.prepared, $0.closed, $0.closedTwice) }
        }

        func cause(_ trouble: Trouble) async {
            await latch.withLock { $0 }.open()
            if trouble == .slow { latch.withLock { $0 = AsyncLatch() } }
            state.withLock { $0.trouble = trouble }
        }

        private func meetTrouble() async throws {
            switch state.withLock({ $0.trouble }) {
            case .none: break
            case .throwing: throw Rejected()
            case .slow: await latch.withLock { $0 }.wait()
            }
        }

        func register(in live: Live<Parts>) async throws -> PrefsObservation {
            guard isTwoPhase else {
                return try await live.applyNow(part) { [self] new in
                    try await meetTrouble()
                    state.withLock { $0.used = new }
                }
            }
            return try await live.applyNow(part) { [self] _, new in
                try await meetTrouble()
                return state.withLock { state in
                    state.prepared += 1
                    state.open[state.prepared] = new
                    return state.prepared
                }
            } commit: { [self] number in
                state.withLock { state in
                    if let value = state.close(number) { state.used = value }
                }
            } abort: { [self] number in
                state.withLock { _ = $0.close(number) }
            }
        }
    }

    let fixture: StackFixture

    init() throws { fixture = try StackFixture("parts.toml") }

    private func stack() -> PrefsStack { stack(of: layer(), .overrides) }

    private func edit(_ number: Int, _ storage: PrefsStack) throws {
        // Not every edit changes every part.
        try replace("a = \(number)\nb = \(number / 2)\nc = \(number / 3)", storage)
    }

    @Test func `at rest every handler has what is active, and nothing is left prepared`() async throws {
        let seconds = ProcessInfo.processInfo.environment["LAYEREDPREFS_SECONDS"].flatMap(Double.init) ?? 1
        let end = ContinuousClock.now + .seconds(seconds)
        let storage = stack()
        let subjects = [
            Subject(\.a, isTwoPhase: true), Subject(\.b, isTwoPhase: false), Subject(\.c, isTwoPhase: true),
        ]
        var live: Live<Parts>? = try Live(Parts(), storage)
        var registrations: [PrefsObservation?] = []
        for subject in subjects { registrations.append(try await subject.register(in: try #require(live))) }
        var (round, edits) = (0, 0)
        repeat {
            let index = round % subjects.count
            let subject = subjects[index]
            switch round / subjects.count % 5 {
            case 0: await subject.cause(.throwing)
            case 1: await subject.cause(.slow)
            case 2: registrations[index]?.cancel()
            case 3:
                let update = live.map { live in Task { try? await live.update { $0.a += 1_000_000 } } }
                for number in 0..<round % 50 { if number.isMultiple(of: 7) { await Task.yield() } }
                update?.cancel()
            default:
                // Everything ends at once, in the middle of an edit.
                try edit(edits + 1, storage)
                live = nil
            }
            for _ in 0..<3 {
                edits += 1
                try edit(edits, storage)
                for _ in 0..<round % 20 { await Task.yield() }
            }
            await subject.cause(.none)
            if live == nil {
                await storage.applied()
                #expect(subjects.allSatisfy { $0.openCount == 0 })
                let next = try Live(Parts(), storage)
                for index in subjects.indices {
                    registrations[index] = try await subjects[index].register(in: next)
                }
                live = next
            } else if round / subjects.count % 5 == 2, let live {
                registrations[index] = try await subject.register(in: live)
            }
            if round.isMultiple(of: 5) {
                await storage.applied()
                expectRest(subjects, live)
            }
            round += 1
        } while ContinuousClock.now < end
        // These values differ from all earlier ones.
        let last = 7_000_000 + edits
        try edit(last, storage)
        await storage.applied()
        // A reload offers the revision that was rejected last again.
        storage.reload()
        await storage.applied()
        #expect(live?.current.a == last)
        #expect(live?.isInconsistent == false)
        expectRest(subjects, live)
        for subject in subjects {
            let counts = subject.counts
            #expect(counts.prepared == counts.closed && counts.closedTwice == 0)
            #expect(counts.prepared > 0 || !subject.isTwoPhase)
        }
        _ = registrations
    }

    private func expectRest(_ subjects: [Subject], _ live: Live<Parts>?) {
        for subject in subjects { #expect(subject.openCount == 0) }
        // A handler that has thrown when it was called back uses another value.
        guard let live, !live.isInconsistent else { return }
        let current = live.current
        for subject in subjects { #expect(subject.used == current[keyPath: subject.part]) }
    }
}
