import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

extension InspectionSocket {
    /// The path of the process's program, if the program file was deleted after the start, as an upgrade without a
    /// restart does; `nil` if it was not deleted, or if this user may not find out.
    var deletedProgram: String? {
        // proc_pid_exe(5)
        let (mark, link) = (" (deleted)", try? linkTarget(of: RawPath("/proc/\(pid)/exe")))
        guard let path = link?.description, path.hasSuffix(mark) else { return nil }
        return String(path.dropLast(mark.count))
    }

    /// A line about the deleted program; `nil` if the process runs the installed program.
    var deletionLine: String? {
        deletedProgram.map { program in
            "process \(pid) runs a deleted version of \(program), as after an upgrade; restart it to use the installed "
                + "one"
        }
    }

    /// A line about a key that the installed program declares but the process does not; `nil` if the process runs
    /// the installed program.
    func deletionLine(about key: String) -> String? {
        deletedProgram.map { program in
            "\(key): unknown to process \(pid), which runs a deleted version of \(program); restart it"
        }
    }
}
