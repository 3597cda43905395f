import PrefsSystem
import FileWatching
import Foundation
import TestSupport
import Testing

@testable import PrefsDocuments
@testable import PrefsFiles

/// The jobs of child processes; skipped in the main process.
@Suite(.enabled(if: ChildProcess.job != nil, "only for child processes"))
struct ChildJobs {
    @Test func `perform the job`() throws {
        let words = ChildProcess.job ?? []
        switch words.first {
        case "count": try Self.count(words[1], name: words[2], rounds: Int(words[3]) ?? 0)
        case "acknowledge": try Self.acknowledge(words[1], name: words[2], log: words[3])
        case "set": try Self.set(words[1], limit: words.count > 2 ? words[2] : "")
        case "set as": try Self.set(words[1], user: words[2], mayDrop: words.count > 3 ? .owner : [])
        default: Issue.record("no such job: \(words)")
        }
    }

    /// Sets its own key and increments a shared counter, `rounds` times.
    private static func count(_ path: String, name: String, rounds: Int) throws {
        var known: (FileSignature, PrefsDocument)?
        for round in 1...rounds {
            let result = try PrefsFileWriter(
                path, known: known, options: PrefsFileWriteOptions(lockTimeout: .seconds(120))
            ).update { document in
                let shared = document?.root["shared"]?.raw.integer.value ?? 0
                return try (document ?? .empty).editing(
                    [.set(["shared"], to: .integer(shared + 1)), .set([name], to: .integer(Int128(round)))],
                    as: .xmlPropertyList)
            }
            known = result.signature.map { ($0, result.document) }
        }
    }

    /// Writes increasing numbers, and logs each number that has been saved, until the process is killed.
    private static func acknowledge(_ path: String, name: String, log: String) throws {
        let file = try Descriptor(opening: log, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
        for round in 1... {
            _ = try PrefsFileWriter(path).update { document in
                try (document ?? .empty).editing(
                    [.set([name], to: .integer(Int128(round)))], as: .xmlPropertyList)
            }
            let line = Array("\(round)\n".utf8)
            guard unsafe write(file.number, line, line.count) == line.count else { throw Errno.last }
        }
    }

    /// Sets one key as another user.
    private static func set(_ path: String, user: String, mayDrop: PrefsFileAttributes) throws {
        try #require(setgid(gid_t(user) ?? 0) == 0 && setuid(uid_t(user) ?? 0) == 0)
        try set(path, limit: "", mayDrop: mayDrop)
    }

    /// Sets one key, under a file size limit if one is given.
    private static func set(_ path: String, limit: String, mayDrop: PrefsFileAttributes = []) throws {
        if let limit = UInt(limit) {
            var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits) == 0)
        }
        _ = try PrefsFileWriter(path, options: PrefsFileWriteOptions(mayDrop: mayDrop)).update {
            try ($0 ?? .empty).editing([.set(["a"], to: "new")], as: .xmlPropertyList)
        }
    }
}
