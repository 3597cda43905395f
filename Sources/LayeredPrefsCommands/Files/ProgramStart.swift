import PrefsSystem

/// Starts a program with arguments and returns its pid; `nil` if that fails. The program is searched for in
/// `$PATH`.
///
/// - Parameter signals: Signals that have their default effect on the program, even if this process ignores them.
func startProgram(_ words: String..., receiving signals: [CInt] = []) -> pid_t? {
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for signal in signals { unsafe sigaddset(&defaults, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var child: pid_t = 0
    return unsafe posix_spawnp(&child, words[0], nil, &attributes, arguments, environ) == 0 ? child : nil
}
