extension EventLoop {
    fileprivate typealias Step = LoopThreads<Work>.Step

    /// Runs one of the loop's threads.
    func run() {
        let thread = BackgroundThread.current
        var step = step { $0.threads.arrive(at: now, on: thread) }
        while true {
            switch step {
            case .lead:
                step = lead(on: thread)
            case .work(let task):
                task.work()
                step = self.step { $0.threads.finish(task, at: now, on: thread) }
            case .park:
                let isWoken = state.withLock { $0.standby }?.wait() ?? false
                step = self.step { state in
                    if isWoken { return state.threads.arrive(at: now, on: thread) }
                    // The timer has gone off.
                    state.relief = nil
                    return state.threads.relieve(at: now)
                }
            case .end:
                return
            }
        }
    }

    /// Returns the next step of a thread that does not lead.
    private func step(_ decide: (inout State) -> Step) -> Step {
        state.withLock { state in
            if state.standby == nil {
                state.standby = Standby()
                state.threads.canPark = state.standby != nil
            }
            let step = decide(&state)
            state.setRelief(by: time)
            return step
        }
    }

    /// The next step of the leading thread.
    fileprivate enum Turn {
        case leave(Step)
        case wait(LoopWait)
    }

    /// Leads until there is work for this thread, or nothing left to wait for.
    private func lead(on thread: UInt) -> Step {
        var work: [Work] = []
        while true {
            let (turn, recruits) = state.withLock { $0.nextTurn(work, of: self, on: thread) }
            work = []
            let isComplete = summon(recruits)
            switch turn {
            case .leave(let step):
                return step
            case .wait(let wait) where isComplete:
                let ready = wait.wait()
                let handlers = state.withLock { $0.takeHandlers(ready, at: now) }
                work = handlers.compactMap { $0() }
            case .wait:
                // No other thread could be started, so this thread has to do the work.
                state.withLock { $0.waiting = nil }
            }
        }
    }
}

extension EventLoop.State {
    /// Decides the next step of the leading thread, after it has found some work.
    fileprivate mutating func nextTurn(
        _ work: [EventLoop.Work], of loop: EventLoop, on thread: UInt
    ) -> (EventLoop.Turn, LoopThreads<EventLoop.Work>.Recruits) {
        let now = loop.now
        let relief = threads.check(at: now)
        if let (task, recruits) = threads.handOver(work, at: now, on: thread) {
            setRelief(by: loop.time)
            return (.leave(.work(task)), relief + recruits)
        }
        let end = endOfIdleTime(loop.idleTimeout, at: now)
        if let end, end <= now { return (.leave(.end), relief + resign()) }
        wakeup = wakeup ?? Wakeup()
        // Without a descriptor no other thread can wake this one, so it wakes periodically.
        let periodic = wakeup == nil ? now + .milliseconds(100) : nil
        let until = earliest(earliest(timers.due, threads.checkDue), earliest(end, periodic))
        waiting = EventLoop.Waiting(until: until)
        let delay = requests.isEmpty ? until.flatMap { loop.time.delay(until: $0) } : .zero
        return (.wait(LoopWait(wakeup: wakeup, sources: sources, delay: delay)), relief)
    }

    /// Sets the time when the parked thread takes the lead from a thread that works.
    fileprivate mutating func setRelief(by time: any LoopTime) {
        guard threads.reliefDue != relief else { return }
        relief = threads.reliefDue
        standby?.setTimer(after: relief.flatMap { time.delay(until: $0) })
    }

    /// Returns the time when idle threads end; `nil` if there is anything to do or to wait for.
    private mutating func endOfIdleTime(_ timeout: Duration, at now: Duration) -> Duration? {
        guard sources.isEmpty, timers.isEmpty, requests.isEmpty, threads.isQuiet else {
            idleSince = nil
            return nil
        }
        let since = idleSince ?? now
        idleSince = since
        return since + timeout
    }

    private mutating func resign() -> LoopThreads<EventLoop.Work>.Recruits {
        defer {
            if threads.total == 0 {
                wakeup?.close()
                wakeup = nil
                standby?.close()
                standby = nil
            }
        }
        return threads.resign()
    }

    /// Returns the requests, the handlers of the sources that have events, and the handlers of the timers that
    /// are due.
    fileprivate mutating func takeHandlers(_ ready: [UInt64], at now: Duration) -> [EventLoop.Handler] {
        waiting = nil
        var handlers: [EventLoop.Handler] = requests.map { request in
            {
                request.body()
                return nil
            }
        }
        requests = []
        handlers += sources.lazy.filter { ready.contains($0.number) }.map(\.handler)
        return handlers + timers.takeDue(at: now)
    }
}
