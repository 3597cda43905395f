import ArgumentParser
import LayeredPrefs
import LayeredPrefsInspection
import PrefsSystem

/// The command `prefs ui`.
struct UICommand<Source: PrefsCommandSource>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "ui", abstract: "Show and edit preferences in a browser.",
            discussion: Source.help(
                "ui @", "ui @ --port 8090 --print-url",
                text: """
                    Serves one page on the loopback interface until interrupted, and opens it. It shows \
                    every key with its value and origin, live, for the files and for each running process \
                    of the domain, explains each layer, and edits files with the rules of 'set'. Values of \
                    secrets are not sent.

                    The URL contains a token that can be used once. For a machine without a browser, \
                    forward a port: ssh -L 8090:127.0.0.1:8090 HOST prefs ui -d DOMAIN --port 8090 \
                    --print-url
                    """))
    }

    @OptionGroup(title: "Layers") var layers: LayerOptions<Source>

    @Option(help: "Show this running process first.")
    var pid: CInt?

    @Option(help: "The port; by default one that is free.")
    var port: UInt16 = 0

    @Flag(help: "Print the URL and do not open a browser.")
    var printUrl = false

    func run() throws {
        try running {
            let end = EndSignal()
            var request = layers.request
            let process = try pid.map { try LiveProcess(pid: $0, domain: layers.domain ?? Source.domain) }
            if !request.namesLayers, let process { request.domain = process.client.socket.domain }
            let stack = try request.open(isWatching: true, diagnostics: .silent)
            let service = PageService(stack: stack, words: request.words)
            let server = try HTTPServer(port: port)
            try server.start { service.answer($0, $1) }
            let start =
                process.map { "&subject=pid:\($0.client.socket.pid):\($0.client.socket.domain)" } ?? ""
            let url = "http://127.0.0.1:\(server.port)/#token=\(service.access.token)\(start)"
            if printUrl {
                Output.print(url)
                Output.flush()
                return end.wait()
            }
            let opener = try PageOpener(url)
            defer { opener.remove() }
            Output.complain("prefs: serving at http://127.0.0.1:\(server.port)/; press ^C to stop")
            if !opener.open() {
                Output.complain(
                    "prefs: no browser can be opened here; visit \(url), from another machine through 'ssh -L'"
                )
            }
            end.wait()
        }
    }
}
