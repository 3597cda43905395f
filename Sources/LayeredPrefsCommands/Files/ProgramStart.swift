import PrefsSystem

/// Starts a program, which is searched for in `$PATH`, with arguments; returns its pid, or `nil` if that fails.
func startProgram(_ words: String...) -> pid_t? {
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) }
    unsafe arguments.append(nil)
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var child: pid_t = 0
    return unsafe posix_spawnp(&child, words[0], nil, nil, arguments, environ) == 0 ? child : nil
}
