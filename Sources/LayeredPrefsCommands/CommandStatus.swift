public import ArgumentParser
import LayeredPrefs

import PrefsSystem

/// The exit codes of the commands. They stay the same in all versions.
public enum CommandStatus {
    /// The key is unknown or not set, a named file does not exist, or a check failed. For `diff` and `drift`:
    /// there are differences.
    public static let failed = ExitCode(1)
    /// The command line is invalid. For `diff`, this can also mean that a named file or layer does not exist.
    public static let usage = ExitCode(2)
    /// A key lock or the permissions denied the operation, the output could not be written, or the program would
    /// reject a supposed value.
    public static let rejected = ExitCode(3)
    /// A file is broken: it cannot be parsed, or it is not a regular file.
    public static let broken = ExitCode(4)
    /// With `--wait`: a running process rejected the change.
    public static let rejectedByProcess = ExitCode(5)
    /// A process or a server does not answer. With `--wait`, this can also mean that a running process did not
    /// read the file in time, or did not decide in time.
    public static let undecided = ExitCode(6)
}

extension PrefsError {
    /// The exit code of a command that fails with this error.
    var status: ExitCode {
        if isPermission { return CommandStatus.rejected }
        if isSilence { return CommandStatus.undecided }
        switch code {
        case .locked, .notWritable, .unwritable, .busy: return CommandStatus.rejected
        case .syntax, .broken, .tooLarge, .unreadable, .notARegularFile, .untrusted,
            .ambiguous:
            return CommandStatus.broken
        default: return CommandStatus.failed
        }
    }

    /// True if a process or a server cannot be reached or does not answer.
    private var isSilence: Bool {
        [ETIMEDOUT, ECONNREFUSED, ECONNRESET, EPROTO, EPIPE, EHOSTUNREACH, ENETUNREACH].contains(errno)
    }

    private var isPermission: Bool { [EACCES, EPERM, EROFS].contains(errno) }
}

/// The failure of a command: its exit code and the message for standard error.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitCode
    /// The message.
    let description: String

    /// The failure for a key that is unknown or not set.
    static func noSuchKey(_ key: String, _ words: String = "not set", nearest: String?) -> Self {
        let hint = SpellingSuggestion.hint(nearest)
        return failed("\(key): \(words)\(hint)")
    }

    static func usage(_ message: String) -> Self { Self(status: CommandStatus.usage, description: message) }

    static func failed(_ message: String) -> Self { Self(status: CommandStatus.failed, description: message) }

    static func rejected(_ message: String) -> Self {
        Self(status: CommandStatus.rejected, description: message)
    }
}
