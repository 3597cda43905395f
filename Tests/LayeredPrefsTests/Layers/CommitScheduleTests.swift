import FileWatching
import PrefsSystem
import TestSupport
import Testing

@testable import LayeredPrefs

/// Announcers, readers of files and writers of two stacks over one storage, in every order of their steps.
///
/// A step ends where code of the program runs: before each act, in a rule over several keys, and in the
/// snapshot of a storage of the program. That snapshot takes the mutex that the storage also holds while it
/// announces. These races are not data races, so no tool finds them.
@Suite struct CommitScheduleTests {
    enum Act: String, Sendable, CaseIterable {
        /// A storage of the program changes, and announces it with its mutex held.
        case announce
        /// A file is edited and read.
        case readFile
        /// A value is written through the first stack.
        case write
        /// A value is written to the common storage, through the second stack.
        case writeElsewhere
    }

    @Test(arguments: [
        [Act.announce, .write], [.announce, .readFile], [.readFile, .write], [.write, .writeElsewhere],
        [.announce, .write, .writeElsewhere], [.readFile, .write, .writeElsewhere],
        [.announce, .readFile, .writeElsewhere], [.announce, .readFile, .write],
    ])
    func `nothing is lost, and no thread waits for another for ever`(acts: [Act]) throws {
        let count = try Schedules.forEach { schedule in
            let scene = try Scene()
            let trail = scene.run(acts, schedule)
            let problems = trail == nil ? ["the threads wait for each other"] : scene.problems(after: acts)
            #expect(problems == [], "\(schedule)")
            return problems.isEmpty ? trail : nil
        }
        #expect(count >= (acts.count == 2 ? 6 : 60))
    }
}

/// Two stacks that share a storage. The first stack also has a file, a storage of the program and a rule.
private final class Scene: Sendable {
    private let stepper = Stepper()
    private let folder: TemporaryFolder
    private let foreign: SteppedStorage
    private let common = DictionaryPrefsStorage()
    private let first: PrefsStack
    private let second: PrefsStack
    private let rule = Switch()
    private let unread = Lock<[String]>([])
    private let seen = SeenValues()
    private let observations: [PrefsObservation]

    init() throws {
        folder = try TemporaryFolder()
        var options = FilePrefsStorage.Options()
        options.watcher = FileWatcher(engine: .manual(ManualFileEngine()), safetyPoll: nil)
        let file = FilePrefsStorage(path: try folder.write(#"{"file": 0}"#, to: "f.json"), options: options)
        foreign = SteppedStorage(stepper)
        let first = PrefsStack(
            coalescing: .immediate, diagnostics: .silent, loop: stepper.loop, scheduler: stepper.loop,
            [PrefsLayer("file", file), PrefsLayer("foreign", foreign), PrefsLayer("common", common)])
        second = PrefsStack(
            coalescing: .immediate, diagnostics: .silent, loop: stepper.loop, scheduler: stepper.loop,
            [PrefsLayer("common", common)])
        let keys = ["file", "foreign", "written", "elsewhere"].map { PersistentKey($0, defaultValue: 0) }
        first.constrain(keys[0], keys[1], keys[2], keys[3]) { [stepper, rule] (_, _, _, _) -> String? in
            if rule.isOn { stepper.step("rule") }
            return nil
        }
        self.first = first
        observations = ["file", "foreign", "written", "elsewhere"].map { [seen] key in
            first.observe(PersistentKey(key, defaultValue: 0)) { change in
                seen.values.withLock { $0[key] = change.new.value }
            }
        }
    }

    /// Runs the acts, each on its own thread. Returns `nil` if they wait for each other forever.
    func run(_ acts: [CommitScheduleTests.Act], _ schedule: [Int]) -> [(chosen: Int, count: Int)]? {
        rule.isOn = true
        foreign.isStepped.isOn = true
        for act in acts { stepper.start(act.rawValue) { [self] in run(act) } }
        return stepper.run(schedule) { [self] in
            first.engine.lock.waitingCount + second.engine.lock.waitingCount + foreign.mutex.waitingCount
        }
    }

    private func run(_ act: CommitScheduleTests.Act) {
        switch act {
        case .announce: foreign.announce(1)
        case .readFile:
            _ = try? folder.write(#"{"file": 1}"#, to: "f.json")
            first.reload()
            expect(first, "file")
        case .write:
            _ = try? first.setValue(1, forKey: "written", in: "common")
            expect(first, "written")
        case .writeElsewhere:
            _ = try? second.setValue(1, forKey: "elsewhere", in: "common")
            expect(second, "elsewhere")
        }
    }

    /// Records a key if the thread that changed it does not read the new value at once.
    private func expect(_ storage: PrefsStack, _ key: String) {
        if storage.snapshot[key] != 1 { unread.withLock { $0.append(key) } }
    }

    /// Returns the faults after the acts, when all their effects have arrived.
    func problems(after acts: [CommitScheduleTests.Act]) -> [String] {
        var problems = unread.withLock { $0 }.map { "\($0) is not read by its writer" }
        for act in acts {
            let key = act.key
            if !eventually({ first.snapshot[key] == 1 }) { problems.append("\(key) is lost") }
            if act.isCommon, !eventually({ second.snapshot[key] == 1 }) {
                problems.append("\(key) is lost in the second stack")
            }
            if !eventually({ seen.values.withLock { $0[key] } == 1 }) {
                problems.append("\(key) is not notified of")
            }
        }
        for observation in observations { observation.cancel() }
        return problems
    }
}

private final class Switch: Sendable {
    private let state = Lock(false)

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// The values that observers saw last.
private final class SeenValues: Sendable {
    let values = Lock<[String: Int]>([:])
}

extension CommitScheduleTests.Act {
    var key: String {
        switch self {
        case .announce: "foreign"
        case .readFile: "file"
        case .write: "written"
        case .writeElsewhere: "elsewhere"
        }
    }

    var isCommon: Bool { self == .write || self == .writeElsewhere }
}

/// A storage of the program that announces its changes while it holds a mutex, which a read takes, too.
private final class SteppedStorage: PrefsStorage {
    let mutex = SteppedMutex()
    let isStepped = Switch()
    private let stepper: Stepper
    private let contents = Lock(PrefsSnapshot(candidates: ["foreign": PrefsCandidate(0)]))
    private let changes = PrefsChangeSource(announcesEveryChange: true)

    init(_ stepper: Stepper) { self.stepper = stepper }

    var changeSource: PrefsChangeSource? { changes }

    var snapshot: PrefsSnapshot {
        if isStepped.isOn { stepper.step("snapshot") }
        return mutex.withLock { contents.withLock { $0 } }
    }

    func announce(_ value: Int) {
        mutex.withLock {
            contents.withLock { $0 = $0.replacing(["foreign": PrefsCandidate(.integer(Int128(value)))]) }
            stepper.step("announced")
            changes.advance()
        }
    }
}
