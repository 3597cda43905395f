import PrefsSystem

extension WatchHub {
    /// The time after which another thread goes on watching.
    static let patience = Duration.milliseconds(20)

    /// Does the work of a round; returns false if another thread has gone on watching meanwhile.
    func perform(_ work: [RoundWork], as number: UInt64) -> Bool {
        let isTimed = state.withLock { state in
            state.work = Work(parts: work, start: .now)
            if armStandby(&state) { return true }
            state.work = nil
            // Without a standby, another thread takes over at once. If even that fails, watching pauses.
            _ = state.startNextThread(of: self)
            return false
        }
        if !isTimed { for part in work { part.whenReplaced() } }
        for part in work { part.perform() }
        return state.withLock { state in
            guard state.number == number else { return false }
            state.work = nil
            state.standby?.disarm()
            return true
        }
    }

    /// The work of a round that is under way.
    struct Work {
        let parts: [RoundWork]
        let start: ContinuousClock.Instant
    }

    /// Has the standby thread wake after the time of patience; returns false if there is none.
    private func armStandby(_ state: inout State) -> Bool {
        if state.standby == nil { state.standby = makeStandby() }
        state.standby?.arm(after: Self.patience)
        return state.standby != nil
    }

    private func makeStandby() -> StandbyTimer? {
        guard let timer = StandbyTimer() else { return nil }
        if BackgroundThread.start(named: "file-watching", { [self] in standBy(timer) }) { return timer }
        timer.close()
        return nil
    }

    /// Waits until the hub's thread has been working for too long, then takes its place.
    private func standBy(_ timer: StandbyTimer) {
        var step = StandbyStep.wait
        while case .wait = step {
            timer.wait()
            step = state.withLock { $0.nextStep(of: timer, at: .now) }
        }
        timer.close()
        guard case .replace(let number, let work) = step else { return }
        for part in work { part.whenReplaced() }
        run(as: number)
    }
}

/// The next step of a standby thread that was woken.
enum StandbyStep: Sendable {
    case wait
    /// Nothing is left to watch.
    case end
    /// Goes on watching, as the thread with this number, in place of the one that does this work.
    case replace(UInt64, [RoundWork])
}

extension WatchHub.State {
    /// Decides whether a standby thread takes over; the next work then creates another standby.
    mutating func nextStep(of timer: StandbyTimer, at now: ContinuousClock.Instant) -> StandbyStep {
        guard standby == timer else { return .end }
        // The work that the timer was set for may have ended, and other work begun.
        guard let late = work, late.start + WatchHub.patience <= now else { return .wait }
        work = nil
        standby = nil
        number += 1
        return .replace(number, late.parts)
    }
}
