/// Work that the watcher's thread does when all watches have ended a round, and that may block.
package struct RoundWork: Sendable {
    package let perform: @Sendable () -> Void
    let whenReplaced: @Sendable () -> Void

    /// - Parameters:
    ///   - whenReplaced: Called on another thread if the work of the round has lasted for 20 ms, and at once if
    ///     the time cannot be taken. That thread goes on watching.
    ///   - perform: The work.
    package init(
        whenReplaced: @escaping @Sendable () -> Void = {}, _ perform: @escaping @Sendable () -> Void
    ) {
        self.perform = perform
        self.whenReplaced = whenReplaced
    }
}
