import Foundation
import Glibc

/// A scripted administrator and user who edit a running daemon's settings the way people do.
///
/// `LiveReloadDemo ETC` installs the files of the folder ETC into a temporary root, starts the daemon that
/// lies beside this program on it, and plays the script.
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
        step("The user's editor saves a file that was not there: written beside, renamed over")
        try sandbox.replace(.user, with: UserFile(port: "<integer>9090</integer>").text)
        step("The user turns telemetry on, which the system locks: nothing changes")
        try sandbox.replace(.user, with: UserFile(port: "<integer>9090</integer>", telemetry: true).text)
        step("The user asks for other workers; MYD_HTTP_WORKERS=4 in the environment stays above it")
        try sandbox.replace(.user, with: UserFile(port: "<integer>9090</integer>", workers: 8).text)
    }

    private func playAdministrator() throws {
        step("The administrator: sed -i s/info/debug/ (the time includes starting sed)")
        try sandbox.run("sed", "-i", "s/info/debug/", sandbox.path(.vendor))
        step("A run-time override, by SIGUSR1: the log level is trace")
        daemon.signal(SIGUSR1)
        step("The override goes again")
        daemon.signal(SIGUSR1)
        step("A package drops in a file that binds every address")
        try sandbox.replace(.dropIn, with: DropIn.text)
    }

    private func playMistakes() throws {
        step("The user forgets to close a tag: every value stays")
        try sandbox.replace(.user, with: UserFile(port: "<integer>7070").text)
        step("... and mends it")
        try sandbox.replace(.user, with: UserFile(port: "<integer>7070</integer>").text)
        step("The user gives the port as text: refused, the system's is in force")
        try sandbox.replace(.user, with: UserFile(port: "<string>many</string>").text)
        step("... and as a number too large")
        try sandbox.replace(.user, with: UserFile(port: "<integer>70000</integer>").text)
    }

    private func playEnd() throws {
        step("touch: no change")
        try sandbox.run("touch", sandbox.path(.user))
        step("The user deletes the file")
        try sandbox.delete(.user)
        step("SIGHUP: a second look at everything finds nothing new")
        daemon.signal(SIGHUP)
        step("SIGTERM")
        daemon.signal(SIGTERM)
    }

    /// Announces a step once the one before has had its effect.
    private func step(_ text: String) {
        daemon.waitForQuiet()
        say("\n# \(text)")
    }
}

/// Prints a line at once, also into a pipe.
func say(_ text: String) {
    print(text)
    fflush(nil)
}
