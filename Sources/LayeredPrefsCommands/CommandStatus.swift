public import ArgumentParser
import LayeredPrefs

import PrefsSystem

/// What a command's exit code says; these do not change from one version to the next.
public enum CommandStatus {
    /// There is no such key, or a check failed.
    public static let failed = ExitCode(1)
    /// The command line makes no sense.
    public static let usage = ExitCode(2)
    /// A lock or a permission refuses it.
    public static let refused = ExitCode(3)
    /// A file is broken.
    public static let broken = ExitCode(4)
}

extension PrefsError {
    /// The exit code of a command that ends with this error.
    var status: ExitCode {
        if isPermission { return CommandStatus.refused }
        switch code {
        case .locked, .notWritable, .unwritable, .busy: return CommandStatus.refused
        case .syntax, .broken, .tooLarge, .unreadable, .notARegularFile, .untrusted:
            return CommandStatus.broken
        default: return CommandStatus.failed
        }
    }

    private var isPermission: Bool { [EACCES, EPERM, EROFS].contains(errno) }
}

/// A command's end that is not a success: what to say on standard error, and the exit code.
struct CommandFailure: Error {
    let status: ExitCode
    let message: String

    init(_ status: ExitCode, _ message: String) {
        self.status = status
        self.message = message
    }

    /// There is no such key.
    static func noSuchKey(_ key: String, _ words: String = "set nowhere", nearest: String?) -> Self {
        let hint = nearest.map { "; did you mean \($0)?" } ?? ""
        return Self(CommandStatus.failed, "\(key): \(words)\(hint)")
    }

    static func usage(_ message: String) -> Self { Self(CommandStatus.usage, message) }
}
