import Glibc
import LayeredPrefs
import LayeredPrefsTesting
import TestSupport
import Testing

/// A commit runs the program's code, and waits for other processes, without holding a mutex.
@Suite struct CommitTests {
    @Test func `a computed default of a rule's key reads the stack although a value is rejected`() throws {
        let user = DictionaryPrefsStorage()
        let storage = PrefsStack(diagnostics: .silent) { PrefsLayer(.user, user) }
        let limit = PersistentKey("limit", defaultValue: 50)
        let minimum = PersistentKey("minimum", defaultValue: 1)
        let maximum = PersistentKey<Int>("maximum") { [weak storage] in storage?.get(limit) ?? 100 }
        storage.constrain(minimum, maximum) { $0 <= $1 ? nil : "expected the minimum below the maximum" }
        try user.setValue("many", forKey: "limit")
        #expect(storage.get(maximum) == 50)
        try user.setValue(60, forKey: "minimum")
        #expect(storage.get(minimum) == 1)
    }

    @Test func `validators read each other's keys, and a wrong value is rejected`() throws {
        let user = DictionaryPrefsStorage()
        let storage = PrefsStack(diagnostics: .silent) { PrefsLayer(.user, user) }
        let (low, high) = (PersistentKey("low", defaultValue: 1), PersistentKey("high", defaultValue: 9))
        let minimum = PersistentKey(
            "low", defaultValue: 1,
            .validate { [weak storage] in $0 <= storage?.get(high) ?? 0 ? nil : "expected at most `high`" })
        let maximum = PersistentKey(
            "high", defaultValue: 9,
            .validate { [weak storage] in $0 >= storage?.get(low) ?? 0 ? nil : "expected at least `low`" })
        storage.declare(minimum)
        storage.declare(maximum)
        try user.setValue("many", forKey: "high")
        #expect(storage.get(maximum) == 9)
        try user.setValue(20, forKey: "low")
        #expect(storage.get(minimum) == 1)
    }

    @Test func `a diagnostics subscriber asks for the status of the file that it is about`() throws {
        let sandbox = try PrefsSandbox()
        let (statuses, file) = (Recorder<String>(), Weak<FilePrefsStorage>())
        var options = FilePrefsStorage.Options()
        options.diagnostics = PrefsDiagnosticHandler { _ in
            statuses.record(file.value?.status.first?.file ?? "none")
        }
        let path = sandbox.root + "/settings.json"
        let storage = FilePrefsStorage(path: path, options: options)
        file.value = storage
        try sandbox.write(#"{"port": 1, "port": 2}"#, to: path)
        storage.reload()
        #expect(storage.value(forKey: "port") == 2)
        #expect(Set(statuses.elements) == [path])
    }
}

/// The commits of one write while another write waits for a file lock that another process holds.
@Suite struct CommitDuringFileLockTests {
    private let sandbox: PrefsSandbox
    private let storage: PrefsStack
    private let overrides = DictionaryPrefsStorage()
    private let holder: FileLockHolder

    init() throws {
        sandbox = try PrefsSandbox()
        try sandbox.write(["k": "user"], to: sandbox.user)
        try sandbox.write(["k": "vendor"], to: sandbox.vendor)
        holder = try FileLockHolder(sandbox.user)
        var options = FilePrefsStorage.Options()
        options.writing.lockTimeout = .seconds(60)
        let (system, user, overrides) = (
            FilePrefsStorage(path: sandbox.vendor, options: options),
            FilePrefsStorage(path: sandbox.user, options: options), overrides
        )
        storage = PrefsStack(coalescing: .immediate, diagnostics: .silent) {
            PrefsLayer.defaults([:])
            PrefsLayer(.system, system)
            PrefsLayer(.user, user)
            PrefsLayer(.overrides, overrides)
        }
    }

    @Test func `locks, reloads and writes of other layers are effective when they return`() async throws {
        let written = Recorder<Bool>()
        TestThread.start { written.record((try? storage.setValue(1, forKey: "waiting")) != nil) }
        try holder.waitForWaiters(1)

        storage.lock("k", at: .system)
        #expect(storage.value(forKey: "k") == "vendor")
        storage.unlock("k", at: .system)
        #expect(storage.value(forKey: "k") == "user")
        try storage.setValue("memory", forKey: "k", in: .overrides)
        #expect(storage.value(forKey: "k") == "memory")
        try overrides.setValue(nil, forKey: "k")
        #expect(storage.value(forKey: "k") == "user")
        try sandbox.write(["system": 1], to: sandbox.vendor)
        storage.reload()
        #expect(storage.value(forKey: "system") == 1)
        try storage.transaction { transaction in
            transaction.setValue("a", forKey: "k", in: .overrides)
            transaction.setValue(2, forKey: "system", in: .system)
        }
        #expect(storage.value(forKey: "system") == 2)
        #expect(written.elements.isEmpty)

        holder.release()
        _ = try await written.wait { $0 == [true] }
        #expect(storage.value(forKey: "waiting") == 1)
    }

    @Test func `several writers wait for the file lock at once, each with its own deadline`() async throws {
        let written = Recorder<Bool>()
        for number in 0..<3 {
            TestThread.start { [storage] in
                written.record((try? storage.setValue(.integer(Int128(number)), forKey: "n\(number)")) != nil)
            }
        }
        // The writers of one process wait in a queue, and only the first of them waits in the kernel.
        try holder.waitForWaiters(1)
        #expect(written.elements.isEmpty)
        holder.release()
        _ = try await written.wait { $0 == [true, true, true] }
        for number in 0..<3 { #expect(storage.value(forKey: "n\(number)") == .integer(Int128(number))) }
    }
}

/// Stacks do not wait for each other if their layers' observers write to each other.
@Suite struct CommitOrderTests {
    private struct Pair {
        let values = (DictionaryPrefsStorage(), DictionaryPrefsStorage())
        let stacks: (PrefsStack, PrefsStack)

        init() {
            let (first, second) = values
            stacks = (
                PrefsStack { PrefsLayer(.overrides, first) },
                PrefsStack { PrefsLayer(.overrides, second) }
            )
        }
    }

    @Test func `direct observers of two stacks' layers write to the other stack at the same time`()
        async throws
    {
        let pair = Pair()
        let (first, second) = pair.stacks
        let meeting = Meeting(of: 2)
        let observations = [
            try #require(pair.values.0.changeSource).observe {
                if meeting.arrive() { _ = try? second.setValue(2, forKey: "second", in: .overrides) }
            },
            try #require(pair.values.1.changeSource).observe {
                if meeting.arrive() { _ = try? first.setValue(1, forKey: "first", in: .overrides) }
            },
        ]
        let ended = Recorder<Int>()
        TestThread.start {
            _ = try? first.setValue(0, forKey: "a", in: .overrides)
            ended.record(1)
        }
        TestThread.start {
            _ = try? second.setValue(0, forKey: "b", in: .overrides)
            ended.record(2)
        }
        _ = try await ended.wait { $0.count == 2 }
        #expect(first.value(forKey: "first") == 1)
        #expect(second.value(forKey: "second") == 2)
        withExtendedLifetime(observations) {}
    }

    @Test func `a direct observer of an inner storage writes to the outer stack while the outer one writes`()
        async throws
    {
        let sandbox = try PrefsSandbox()
        let values = FilePrefsStorage(path: sandbox.user)
        let inner = PrefsStack { PrefsLayer(.overrides, values) }
        let outer = PrefsStack {
            PrefsLayer("inner", inner)
            PrefsLayer(.overrides, DictionaryPrefsStorage())
        }
        let meeting = Meeting(of: 2)
        let observation = try #require(values.changeSource).observe {
            if meeting.arrive() { _ = try? outer.setValue(1, forKey: "seen", in: .overrides) }
        }
        let ended = Recorder<Int>()
        TestThread.start {
            _ = try? inner.setValue(1, forKey: "a", in: .overrides)
            ended.record(1)
        }
        TestThread.start {
            _ = try? outer.transaction { transaction in
                transaction.setValue(2, forKey: "b", in: "inner")
                transaction.setValue(2, forKey: "c", in: .overrides)
            }
            ended.record(2)
        }
        _ = try await ended.wait { $0.count == 2 }
        #expect(outer.value(forKey: "a") == 1)
        #expect(outer.value(forKey: "b") == 2)
        #expect(outer.value(forKey: "seen") == 1)
        withExtendedLifetime(observation) {}
    }
}
