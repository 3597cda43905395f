import PrefsSystem

extension WatchHub {
    /// Opens the engine if it is closed and due to be opened.
    func openIfNeeded(_ state: inout State) {
        guard state.core.needsBackend else { return }
        state.mounts = state.mounts ?? MountTable()
        do {
            state.core.open(try open())
            state.rejection = nil
        } catch {
            switch error {
            case .problem(let problem):
                state.core.fail(problem, now: now)
            case .rejection(let rejection):
                state.rejection = rejection
                state.core.fail(Problem(rejection), now: now)
            }
        }
    }

    /// Reopens the engine if it has leaked too much. Changes made in between are covered by an event for each
    /// path.
    func reopenIfNeeded(_ state: inout State) {
        guard state.core.backend?.shouldReopen == true else { return }
        state.core.close()
        openIfNeeded(&state)
        state.core.invalidateAll(.incomplete, source: .recheck)
    }

    private enum OpenFailure: Error {
        case problem(Problem)
        case rejection(EngineRejection)
    }

    private func open() throws(OpenFailure) -> any InotifyBackend {
        #if os(Linux) && InotifyTools
            if kind == .inotifyTools { return try openLibrary() }
        #endif
        #if os(Linux)
            do {
                return try KernelInotify()
            } catch {
                throw .problem(.cannotOpen(error))
            }
        #else
            throw .problem(.cannotOpen(Errno(ENOSYS)))
        #endif
    }

    #if os(Linux) && InotifyTools
        private func openLibrary() throws(OpenFailure) -> any InotifyBackend {
            do {
                return try LibraryInotify(leakLimit: leakLimit)
            } catch {
                throw .rejection(error)
            }
        }
    #endif
}
