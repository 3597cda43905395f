import PrefsSystem

extension WatchHub {
    /// Opens the engine if it is closed and due to be opened.
    func openIfNeeded(_ state: inout State) {
        guard state.core.needsBackend else { return }
        state.mounts = state.mounts ?? MountTable()
        do throws(Problem) {
            state.core.open(try open())
            state.rejection = nil
        } catch {
            state.core.fail(error, now: now)
            if engine == .inotifyTools { state.rejection = error }
        }
    }

    /// Reopens the engine if it has leaked too much. One event for each path covers the changes in between.
    func reopenIfNeeded(_ state: inout State) {
        guard state.core.backend?.shouldReopen == true else { return }
        state.core.close()
        openIfNeeded(&state)
        state.core.invalidateAll(.incomplete, source: .recheck)
    }

    private func open() throws(Problem) -> any InotifyBackend {
        #if InotifyTools
            if engine == .inotifyTools { return try LibraryInotify(leakLimit: leakLimit) }
        #endif
        do throws(Errno) { return try KernelInotify() } catch { throw .cannotOpen(error) }
    }
}
