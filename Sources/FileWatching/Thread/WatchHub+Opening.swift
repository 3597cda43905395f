import PrefsSystem
extension WatchHub {
    /// Opens the engine if it is closed and due to be opened.
    func openIfWanted(_ state: inout State) {
        guard state.core.wantsSource else { return }
        do {
            state.core.open(try open())
            state.refusal = nil
        } catch {
            switch error {
            case .problem(let problem):
                state.core.fail(problem, now: .now)
            case .refusal(let refusal):
                state.refusal = refusal
                state.core.fail(Problem(refusal), now: .now)
            }
        }
    }

    /// Reopens the engine if it has leaked too much. Changes made in between are covered by an event for each
    /// path.
    func renewIfWornOut(_ state: inout State) {
        guard state.core.source?.isWornOut == true else { return }
        state.core.close()
        openIfWanted(&state)
        state.core.suspectAll(.began, source: .recheck)
    }

    private enum OpenFailure: Error {
        case problem(Problem)
        case refusal(EngineRefusal)
    }

    private func open() throws(OpenFailure) -> any NoticeSource {
        #if os(Linux) && InotifyTools
            if kind == .inotifyTools { return try openLibrary() }
        #endif
        #if os(Linux)
            do {
                return try KernelInotify()
            } catch {
                throw .problem(.unopened(error))
            }
        #else
            throw .problem(.unopened(Errno(ENOSYS)))
        #endif
    }

    #if os(Linux) && InotifyTools
        private func openLibrary() throws(OpenFailure) -> any NoticeSource {
            do {
                return try LibraryInotify(wear: wear)
            } catch {
                throw .refusal(error)
            }
        }
    #endif
}
