import PrefsSystem
extension WatchHub {
    /// Opens the engine if it is closed and due to be opened.
    func openIfWanted(_ state: inout State) {
        guard state.core.wantsSource else { return }
        do {
            state.core.open(try open())
            state.rejection = nil
        } catch {
            switch error {
            case .problem(let problem):
                state.core.fail(problem, now: .now)
            case .rejection(let rejection):
                state.rejection = rejection
                state.core.fail(Problem(rejection), now: .now)
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
        case rejection(EngineRejection)
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
                throw .rejection(error)
            }
        }
    #endif
}
