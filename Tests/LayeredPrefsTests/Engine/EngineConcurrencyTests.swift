import Dispatch
import Glibc
import LayeredPrefs
import LayeredPrefsTesting
import Synchronization
import TestSupport
import Testing

/// Many threads with one stack. The tests run one at a time, because each keeps every processor busy.
@Suite(.serialized) struct EngineConcurrencyTests {
    @Test func `a torn pair is never read`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(pair(0), to: sandbox.user)
        let overrides = DictionaryPrefsStorage()
        let storage = PrefsStack(coalescing: .immediate) {
            PrefsLayer(.user, FilePrefsStorage(path: sandbox.user))
            PrefsLayer(.overrides, overrides)
        }
        let (reads, torn) = (Counter(), Counter())
        await Threads.run(
            writers: [
                {
                    for number in 1...500 {
                        try? sandbox.write(pair(number), to: sandbox.user)
                        storage.reload()
                    }
                },
                {
                    for number in 1...2000 {
                        overrides.update { $0 = number.isMultiple(of: 4) ? [:] : pair(-number) }
                    }
                },
            ],
            besides: 8,
            readers: {
                let snapshot = storage.snapshot
                if snapshot.get(.first) != snapshot.get(.second) { torn.add() }
                reads.add()
            })
        #expect(torn.value == 0)
        #expect(reads.value > 1000)
        #expect(storage.snapshot.get(.first) == 500)
    }

    @Test func `no reader sees a value that is not effective`() async throws {
        let sandbox = try PrefsSandbox()
        let (diagnostics, _, subscription) = Recorder<PrefsDiagnostic>.recording()
        defer { subscription.cancel() }
        var options = FilePrefsStorage.Options()
        options.diagnostics = diagnostics
        let storage = PrefsStack(coalescing: .immediate, diagnostics: diagnostics) {
            PrefsLayer(.user, FilePrefsStorage(path: sandbox.user, options: options))
        }
        storage.declare(.first)
        let rounds = FileRound.rounds(1000)
        let (begun, settled, reads, wrong) = (Counter(), Counter(), Counter(), Recorder<String>())
        await Threads.run(
            writers: [
                {
                    for round in rounds.dropFirst() {
                        begun.add()
                        round.edit(sandbox)
                        storage.reload()
                        settled.add()
                    }
                }
            ],
            besides: 4,
            readers: {
                let earliest = settled.value
                let found = storage.get(.first)
                let latest = begun.value
                if !rounds[earliest...latest].contains(where: { $0.value == found }) {
                    wrong.record("\(found) in the rounds \(earliest) to \(latest)")
                }
                reads.add()
            })
        #expect(wrong.elements == [])
        #expect(reads.value > 1000)
        #expect(storage.get(.first) == rounds[1000].value)
    }

    @Test func `a burst is at most two change sets`() async throws {
        let sandbox = try PrefsSandbox()
        try sandbox.write(pair(0), to: sandbox.user)
        let storage = PrefsStack { PrefsLayer(.user, FilePrefsStorage(path: sandbox.user)) }
        let sets = Recorder<PrefsChangeSet>()
        let observation = storage.observe(sets.record)
        let start = ContinuousClock.now
        for number in 1...50 {
            try sandbox.write(pair(number), to: sandbox.user)
            let next = start + .microseconds(400 * number)
            while .now < next {}
        }
        let elapsed = ContinuousClock.now - start
        _ = try await sets.wait { sets in
            sets.last?.changes.last?.new.value == 50
        }
        await storage.reloadAndSettle()
        // A machine that is too busy to make the edits in one window may commit a change set for each edit.
        #expect(sets.elements.count <= 2 + Int(elapsed / .milliseconds(50)))
        observation.cancel()
    }
}

private func pair(_ number: Int) -> [String: PrefsValue] {
    ["pair": ["first": .integer(Int128(number)), "second": .integer(Int128(number))]]
}

extension PersistentKey where Value == Int {
    fileprivate static var first: Self { Self("pair.first", defaultValue: 0) }
    fileprivate static var second: Self { Self("pair.second", defaultValue: 0) }
}

/// A state of a file, and its effective value.
private struct FileRound {
    private enum Kind: CaseIterable { case good, broken, wrongType, halves, broken2, missing, replaced }

    private let kind: Kind
    private let number: Int
    let value: Int

    /// A broken file, and a value of another type, leave the effective value unchanged. A missing file leaves
    /// the default.
    static func rounds(_ count: Int) -> [FileRound] {
        var value = 0
        return (0...count).map { number in
            let kind = number == 0 ? .missing : Kind.allCases[number % Kind.allCases.count]
            switch kind {
            case .good, .halves, .replaced: value = number
            case .missing: value = 0
            case .broken, .broken2, .wrongType: break
            }
            return FileRound(kind: kind, number: number, value: value)
        }
    }

    func edit(_ sandbox: PrefsSandbox) {
        let path = sandbox.user
        switch kind {
        case .good, .replaced: try? sandbox.write(pair(number), to: path)
        case .broken, .broken2: try? sandbox.write("<plist><dict><key>pair</key>", to: path)
        case .wrongType: try? sandbox.write(["pair": ["first": "text"]], to: path)
        case .halves: writeInPlace(path)
        case .missing: try? sandbox.remove(path)
        }
    }

    /// A read may happen between the halves; the first half is not a valid file.
    private func writeInPlace(_ path: String) {
        guard let bytes = try? PrefsFileFormat.xmlPropertyList.serialize(pair(number)) else { return }
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        for part in [bytes.prefix(bytes.count / 2), bytes.suffix(from: bytes.count / 2)] {
            _ = unsafe part.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        }
        close(file)
        // A reload rightly ignores a file that another process is still writing.
        waitForOtherWriters(of: path)
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .sequentiallyConsistent) }

    func add() { count.add(1, ordering: .sequentiallyConsistent) }
}

/// Dedicated threads, regardless of the number of processors.
private enum Threads {
    /// Runs each writer once, and meanwhile the reader repeatedly on some threads, at least a thousand times.
    static func run(
        writers: [@Sendable () -> Void], besides count: Int, readers read: @escaping @Sendable () -> Void
    ) async {
        let isOver = Counter()
        let (writing, reading) = (DispatchGroup(), DispatchGroup())
        for index in 0..<count {
            DispatchQueue(label: "reader \(index)").async(group: reading) {
                var missing = 1000 / count + 1
                while isOver.value == 0 || missing > 0 {
                    read()
                    missing -= 1
                    // Without this, the writers do not finish if there are more threads than processors.
                    sched_yield()
                }
            }
        }
        for (index, writer) in writers.enumerated() {
            DispatchQueue(label: "writer \(index)").async(group: writing, execute: writer)
        }
        await end(of: writing)
        isOver.add()
        await end(of: reading)
    }

    private static func end(of group: DispatchGroup) async {
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }
}
