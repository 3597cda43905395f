/// The threads of an event loop, and the work that waits for them. This type makes every decision, and has no
/// effects.
///
/// One thread leads. If it finds work, it does that work itself, and meanwhile the leading *pauses*. If the pause
/// takes longer than ``patience``, the parked thread leads. The other threads work, as few at a time as possible:
/// a thread that has finished some work takes the next. A thread that has worked for ``patience`` counts as
/// *late*, and another thread takes its place. Each time that all work in progress is late while other work
/// waits, more threads may take the place of the late ones: first 1, then 4, then 16, and so on. So one callback
/// behind a hundred blocked ones does not wait for a hundred checks.
struct LoopThreads<Work> {
    typealias Kind = EventLoop.Kind

    /// A thread's present work.
    struct Task {
        let work: Work
        fileprivate let progress: Progress
    }

    fileprivate struct Progress {
        let number: UInt64
        let kind: Kind
        let thread: UInt
        let start: Duration
    }

    /// The next step of a thread.
    enum Step {
        case lead
        case work(Task)
        /// Waits to be woken, or until ``LoopThreads/reliefDue``.
        case park
        case end
    }

    private struct Pause {
        let thread: UInt
        let start: Duration
    }

    /// The threads to start and the parked threads to wake. Each of them then calls ``arrive(at:on:)``.
    struct Recruits: Equatable {
        var starting = 0
        var waking = 0

        static func + (left: Recruits, right: Recruits) -> Recruits {
            Recruits(starting: left.starting + right.starting, waking: left.waking + right.waking)
        }
    }

    /// The maximum number of threads.
    let limit: Int
    /// How long a thread may work before another thread takes its place.
    let patience: Duration

    /// The library's own work.
    private var ownWork = Fifo<Work>()
    /// The work that runs code of the program.
    private var callbacks = Fifo<Work>()
    /// The work in progress, except the work of late threads.
    private var active: [Progress] = []
    private var late: [Progress] = []
    private var lastNumber: UInt64 = 0
    /// The number of threads, including started ones that have not arrived yet.
    private(set) var total = 0
    private var parked = 0
    /// The number of threads that have been started or woken and have not arrived yet.
    private(set) var summoned = 0
    private var isLed = false
    /// The pause of the leading: a thread does some work, and leads again afterwards.
    private var pause: Pause?
    /// False if there is no place for a thread to wait until it is woken.
    var canPark = true
    /// The number of threads that may work at a time, without late ones, and the next number once all are late.
    private var width = 1
    private var nextWidth = 1

    init(limit: Int, patience: Duration) {
        self.limit = limit
        self.patience = patience
    }

    /// Two threads stay free of callbacks: one that leads, and one for the library's own work.
    private var callbackLimit: Int { limit - 2 }

    /// True if a thread leads, or is about to.
    var isLedSoon: Bool { isLed || pause != nil || summoned > 0 }

    /// The time when the parked thread takes the lead, unless the pause has ended, see ``relieve(at:)``.
    var reliefDue: Duration? { pause.map { $0.start + patience } }

    /// True if no work waits, and no thread is known to be about to add any.
    var isQuiet: Bool { ownWork.isEmpty && callbacks.isEmpty && active.isEmpty && summoned == 0 }

    /// The number of threads that are doing work.
    var busyCount: Int { active.count + late.count }

    /// The time of the next ``check(at:)``; `nil` if no thread works.
    var checkDue: Duration? { active.map(\.start).min().map { $0 + patience } }

    /// True if work waits while a thread works.
    var needsCheck: Bool { !active.isEmpty && !(ownWork.isEmpty && callbacks.isEmpty) }

    /// Returns true if a thread is doing work of some kind.
    func isDoing(_ kind: Kind, on thread: UInt) -> Bool {
        active.contains { $0.thread == thread && $0.kind == kind }
            || late.contains { $0.thread == thread && $0.kind == kind }
    }

    /// Adds work.
    ///
    /// - Parameter thread: The calling thread. If it is doing the library's own work, it does the added work
    ///   itself, which saves waking another thread.
    mutating func add(_ work: Work, _ kind: Kind, on thread: UInt) -> Recruits {
        append(work, kind)
        if active.contains(where: { $0.thread == thread && $0.kind == .own }) { return Recruits() }
        let workers = needed(behind: active.count { $0.kind == .callback })
        // While the leading pauses, one of the recruits leads.
        return workers == 0 ? Recruits() : recruit(workers + (pause == nil ? 0 : 1) - summoned)
    }

    private mutating func append(_ work: Work, _ kind: Kind) {
        switch kind {
        case .own: ownWork.append(work)
        case .callback: callbacks.append(work)
        }
    }

    /// Returns the number of threads that the waiting work needs.
    ///
    /// - Parameter others: The number of threads that are going to take callbacks.
    private func needed(behind others: Int) -> Int {
        let forOwnWork = min(ownWork.count, width - active.count { $0.kind == .own })
        return max(0, forOwnWork, min(waitingCallbacks, width - others))
    }

    /// The number of callbacks that threads may take.
    private var waitingCallbacks: Int {
        let inProgress = (active + late).count { $0.kind == .callback }
        return min(callbacks.count, callbackLimit - inProgress)
    }

    /// Summons threads, as many as the limit allows.
    private mutating func recruit(_ count: Int) -> Recruits {
        let waking = max(0, min(count, parked))
        let starting = max(0, min(count - waking, limit - total))
        parked -= waking
        // A woken thread leads.
        if waking > 0 { pause = nil }
        total += starting
        summoned += waking + starting
        return Recruits(starting: starting, waking: waking)
    }

    /// Summons a thread to lead, if no thread leads and the calling thread is not about to.
    ///
    /// - Parameter thread: The calling thread; `nil` if it may wait for the leading thread.
    mutating func summonLeader(on thread: UInt?) -> Recruits {
        let isAboutToLead = pause.map { $0.thread == thread } ?? false
        return isLed || summoned > 0 || isAboutToLead ? Recruits() : recruit(1)
    }

    /// Records that a thread could not be started.
    mutating func failToStart() {
        total -= 1
        summoned -= 1
    }

    /// Returns the first step of a thread that was summoned.
    mutating func arrive(at now: Duration, on thread: UInt) -> Step {
        summoned -= 1
        return next(at: now, on: thread)
    }

    /// Returns the next step of a thread that has done its work.
    mutating func finish(_ task: Task, at now: Duration, on thread: UInt) -> Step {
        active.removeAll { $0.number == task.progress.number }
        late.removeAll { $0.number == task.progress.number }
        return next(at: now, on: thread)
    }

    /// Returns the next step of the parked thread after its timer has gone off. It leads if the pause took too
    /// long.
    mutating func relieve(at now: Duration) -> Step {
        guard let due = reliefDue, due <= now else { return .park }
        parked -= 1
        return lead()
    }

    private mutating func next(at now: Duration, on thread: UInt) -> Step {
        let isPausing = pause.map { $0.thread == thread && now < $0.start + patience } ?? false
        if isPausing, let task = take(at: now, on: thread) { return .work(task) }
        if !isLed, summoned == 0 { return lead() }
        if let task = take(at: now, on: thread) { return .work(task) }
        // An idle process has two threads: the leading one and this one.
        if parked == 0, canPark {
            parked = 1
            return .park
        }
        total -= 1
        return .end
    }

    private mutating func lead() -> Step {
        pause = nil
        isLed = true
        return .lead
    }

    private mutating func take(at now: Duration, on thread: UInt, isLeading: Bool = false) -> Task? {
        if isLeading || active.count(where: { $0.kind == .own }) < width, let work = ownWork.popFirst() {
            return begin(work, .own, at: now, on: thread)
        }
        if active.count(where: { $0.kind == .callback }) < width, waitingCallbacks > 0,
            let work = callbacks.popFirst()
        {
            return begin(work, .callback, at: now, on: thread)
        }
        return nil
    }

    private mutating func begin(_ work: Work, _ kind: Kind, at now: Duration, on thread: UInt) -> Task {
        if ownWork.isEmpty, callbacks.isEmpty { (width, nextWidth) = (1, 1) }
        lastNumber += 1
        let progress = Progress(number: lastNumber, kind: kind, thread: thread, start: now)
        active.append(progress)
        return Task(work: work, progress: progress)
    }
}

extension LoopThreads {
    /// Gives work to the leading thread. Returns `nil` if that thread goes on leading, because no other thread
    /// is needed or there are too many threads.
    ///
    /// The leading pauses if there is a parked thread and nothing more to do. Otherwise another thread leads at
    /// once.
    ///
    /// - Parameter own: Work that the leading thread has found. The thread does it even if others are working.
    mutating func handOver(_ own: [Work], at now: Duration, on thread: UInt) -> (Task, Recruits)? {
        for work in own { append(work, .own) }
        guard !own.isEmpty || needed(behind: active.count) > summoned else { return nil }
        guard summoned > 0 || parked > 0 || total < limit,
            let task = take(at: now, on: thread, isLeading: true)
        else { return nil }
        isLed = false
        if summoned > 0 { return (task, Recruits()) }
        if parked > 0, needed(behind: active.count { $0.kind == .callback }) == 0 {
            pause = Pause(thread: thread, start: now)
            return (task, Recruits())
        }
        return (task, recruit(1))
    }

    /// Ends the leading thread, and with it the others.
    mutating func resign() -> Recruits {
        isLed = false
        total -= 1
        return parked > 0 ? recruit(1) : Recruits()
    }

    /// Counts threads that have worked for a long time as late, and lets other threads take their place.
    mutating func check(at now: Duration) -> Recruits {
        let newlyLate = active.filter { $0.start + patience <= now }
        guard !newlyLate.isEmpty else { return Recruits() }
        late += newlyLate
        active.removeAll { $0.start + patience <= now }
        if active.isEmpty, !ownWork.isEmpty || !callbacks.isEmpty {
            width = nextWidth
            nextWidth = min(nextWidth * 4, limit)
        }
        return recruit(needed(behind: active.count) - summoned)
    }
}

extension LoopThreads.Task: Sendable where Work: Sendable {}

extension LoopThreads.Step: Sendable where Work: Sendable {}
