import Foundation
import Glibc

/// A script in which an administrator and a user edit a running daemon's settings in typical ways.
///
/// `LiveReloadDemo ETC` installs the files of the folder ETC in a temporary root, starts the daemon from this
/// program's own folder with that root, and plays the script.
@main
struct Demo {
    let sandbox: Sandbox
    let daemon: DaemonProcess

    static func main() throws {
        let etc = CommandLine.arguments.dropFirst().first ?? "etc"
        let sandbox = try Sandbox(installing: etc)
        defer { sandbox.remove() }
        let daemon = try DaemonProcess(in: sandbox)
        let demo = Demo(sandbox: sandbox, daemon: daemon)
        try demo.play()
        let status = daemon.waitForExit()
        say("\n# exit status \(status)")
        if status != 0 { exit(1) }
    }

    private func play() throws {
        daemon.waitForLine(containing: "ready")
        try playUser()
        try playAdministrator()
        try playMistakes()
        try playEnd()
    }

    private func playUser() throws {
        step("The user's editor creates a file: written to a temporary file, then renamed")
        try sandbox.replace(.user, with: UserFile(port: "<integer>9090</integer>").text)
        step("The user turns on telemetry, which a system lock prevents: nothing changes")
        try sandbox.replace(.user, with: UserFile(port: "<integer>9090</integer>", telemetry: true).text)
        step("The user sets the workers; MYD_HTTP_WORKERS=4 in the environment still wins")
        try sandbox.replace(.user, with: UserFile(port: "<integer>9090</integer>", workers: 8).text)
    }

    private func playAdministrator() throws {
        step("The administrator runs sed -i s/info/debug/ (the time includes starting sed)")
        try sandbox.run("sed", "-i", "s/info/debug/", sandbox.path(.vendor))
        step("SIGUSR1 sets a run-time override: the log level becomes trace")
        daemon.signal(SIGUSR1)
        step("SIGUSR1 removes the override")
        daemon.signal(SIGUSR1)
        step("A package installs a drop-in that binds every address")
        try sandbox.replace(.dropIn, with: DropIn.text)
    }

    private func playMistakes() throws {
        step("The user forgets to close a tag: every value stays effective")
        try sandbox.replace(.user, with: UserFile(port: "<integer>7070").text)
        step("... and fixes it")
        try sandbox.replace(.user, with: UserFile(port: "<integer>7070</integer>").text)
        step("The user sets the port to a string: rejected, and the program keeps the previous value")
        try sandbox.replace(.user, with: UserFile(port: "<string>many</string>").text)
        step("... and to a number that is too large")
        try sandbox.replace(.user, with: UserFile(port: "<integer>70000</integer>").text)
    }

    private func playEnd() throws {
        step("The user runs touch: nothing changes")
        try sandbox.run("touch", sandbox.path(.user))
        step("The user deletes the file")
        try sandbox.delete(.user)
        step("SIGHUP reloads every file: nothing changes")
        daemon.signal(SIGHUP)
        step("SIGTERM")
        daemon.signal(SIGTERM)
    }

    /// Announces a step, after the previous one has taken effect.
    private func step(_ text: String) {
        daemon.waitForQuiet()
        say("\n# \(text)")
    }
}

/// Prints a line and flushes it, so that it is not delayed in a pipe.
func say(_ text: String) {
    print(text)
    fflush(nil)
}
