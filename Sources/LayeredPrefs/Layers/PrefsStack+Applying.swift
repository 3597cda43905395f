import PrefsDocuments
import PrefsSystem

extension PrefsStack {
    /// True if a handler of a ``Live`` configuration has failed to apply the active value; see
    /// ``Live/isInconsistent``.
    package var isInconsistent: Bool {
        engine.checks.withLock { $0.deciders }.contains(where: \.isInconsistent)
    }

    /// True within a handler of ``Live/apply(_:_:)`` over this stack. A handler must not wait for its own answer.
    package var isWithinApply: Bool { ApplyCall.isUnderWay(in: ObjectIdentifier(self)) }

    /// True while handlers of ``Live/apply(_:_:)`` are being called, or are about to be.
    package var isDeciding: Bool { engine.coordinator.isBusy }

    /// Waits until the program has accepted or rejected everything that has been read.
    ///
    /// The ``Live/apply(_:_:)`` handlers of all configurations decide. The wait includes the `commit` or `abort`
    /// of everything that they have prepared, and the delivery of the resulting changes to observers. If the task
    /// is cancelled, the wait ends early.
    ///
    /// An `apply` handler must not call this method, because it would wait for itself. Such a call returns at once
    /// and reports an error. ``Live/applied()`` throws instead.
    public func applied() async {
        if isWithinApply {
            return diagnostics.report(
                .error,
                PrefsError(
                    .unsupported,
                    reason: """
                        `applied()` waits until all `apply` handlers have returned, so it cannot be called within one; \
                        nothing was waited for
                        """
                ))
        }
        repeat {
            await settled()
            await engine.coordinator.decided()
            await settled()
        } while engine.coordinator.isBusy && !Task.isCancelled
    }

    /// Ends the calls of handlers, for a program that is about to end. The running call of a handler that may
    /// throw is cancelled. A prepared value gets its `commit` if it is active, and otherwise its `abort`.
    ///
    /// - Parameter limit: The longest time to wait for handlers.
    package func stopApplying(within limit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.engine.coordinator.stop(self.engine) }
            group.addTask { try? await Task.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Resumes calling handlers after ``stopApplying(within:)``.
    package func resumeApplying() { engine.coordinator.resume(engine) }
}
