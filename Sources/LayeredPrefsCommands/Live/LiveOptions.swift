import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection

/// The options of a command that can ask a running process.
struct LiveOptions: ParsableArguments {
    @Option(help: "Ask this running process, as listed by 'ps', instead of reading the layers.")
    var pid: CInt?

    @Flag(help: "Ask the running process of the domain, of which there must be exactly one.")
    var live = false

    /// Throws if an option is given that has no effect on a running process.
    func reject(_ option: String, if isGiven: Bool) throws {
        if isGiven, pid != nil || live {
            throw ValidationError("\(option) cannot be combined with --pid or --live")
        }
    }

    /// Returns the process that the options name; `nil` if they name none.
    func process(domain: String?) throws -> LiveProcess? {
        let domain = try live ? DomainName.resolve(domain, guessing: false) : domain.map(DomainName.full)
        if let pid {
            if live { throw CommandFailure.usage("--pid cannot be combined with --live") }
            return try LiveProcess(pid: pid, domain: domain)
        }
        return live ? try LiveProcess.only(of: domain) : nil
    }
}

/// The options of a command that always asks a running process. Without a pid, it asks the only process of the
/// domain.
struct ProcessOptions<Source: PrefsCommandSource>: ParsableArguments {
    @Option(name: [.short, .long], help: "The program's domain.", completion: .domains)
    var domain: String?

    @OptionGroup var live: LiveOptions

    var process: LiveProcess {
        get throws {
            let named = domain ?? Source.domain
            let domain = try live.pid == nil ? DomainName.resolve(named, guessing: true) : named
            if let process = try live.process(domain: domain) { return process }
            guard domain != nil else {
                throw CommandFailure.usage("no process given; use --pid N or --domain com.example.myd")
            }
            return try LiveProcess.only(of: domain)
        }
    }
}

extension LiveProcess {
    /// Finds the only process of a domain, or of all domains.
    static func only(of domain: String?) throws -> LiveProcess {
        let sockets = sockets(domain: domain)
        let place = domain.map { " of \($0)" } ?? ""
        guard let socket = sockets.first else {
            throw CommandFailure.failed(
                "no running process\(place) serves inspection\(othersRemark)\(DomainSearch.hintOfRunning(domain))"
            )
        }
        guard sockets.count == 1 else {
            let pids = sockets.map { "\($0.pid)" }.joined(separator: ", ")
            throw CommandFailure.failed(
                "\(sockets.count) processes\(place) serve inspection; choose one with --pid: \(pids)")
        }
        return try LiveProcess(answering: socket)
    }
}
