#if Etcd
    import Foundation

    /// A process that a test runs to its end, with its resource usage.
    enum ChildProcess {
        struct Result {
            /// The exit code; -1 if a signal ended the process.
            var status: Int32
            /// The largest resident memory, in bytes.
            var largestMemory: Int
        }

        /// Runs a program without output, and waits for its end.
        static func run(_ arguments: [String]) throws -> Result {
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
                unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
            }
            var strings = unsafe arguments.map { unsafe strdup($0) }
            defer { unsafe strings.forEach { unsafe free($0) } }
            unsafe strings.append(nil)
            var child = pid_t()
            let error = unsafe posix_spawn(&child, arguments[0], &actions, nil, strings, environ)
            guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
            var (status, usage) = (Int32(0), rusage())
            while unsafe wait4(child, &status, 0, &usage) < 0 {
                guard errno == EINTR else { throw POSIXError(.ECHILD) }
            }
            let hasExited = status & 0x7f == 0
            return Result(
                status: hasExited ? status >> 8 & 0xff : -1, largestMemory: usage.ru_maxrss * 1024)
        }
    }
#endif
