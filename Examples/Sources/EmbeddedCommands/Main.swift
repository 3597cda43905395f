import ArgumentParser
import LayeredPrefs
import LayeredPrefsCommands

/// A program whose own command line has `config`, the commands of the tool `prefs`, with its schema known:
///
/// ```
/// myd config list
/// myd config explain http.port
/// myd config set http.prot 81      # unknown key; did you mean “http.port”?
/// myd config watch --json
/// ```
@main
struct Main: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "myd", abstract: "Serve, or look at the configuration.",
        subcommands: [Serve.self, PrefsCommands<Configuration>.self, ExportSchema.self],
        defaultSubcommand: Serve.self)

    /// Instead of the parser's own, for the exit codes of `prefs`.
    static func main() { PrefsCommandLine.run(Main.self) }
}

/// What `config` is about.
enum Configuration: PrefsCommandSource {
    static let domainName = "com.example.myd"

    static var domain: String? { domainName }
    static var keys: [PrefsKeyDescription] { Prefs.keys }
}

/// `myd serve`: what a program would do with its preferences.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Say where requests would be taken.")

    func run() {
        let prefs = Prefs()
        print("\(prefs.http.host):\(prefs.http.port), logging from \(prefs.logLevel)")
    }
}

/// `myd export-schema`: what a package installs as `/usr/share/prefs/schemas/com.example.myd.schema.json`, so
/// that `prefs --domain com.example.myd` knows as much as `myd config`.
struct ExportSchema: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the JSON Schema of the configuration.")

    func run() { print(Prefs.jsonSchema(environmentPrefix: "MYD_"), terminator: "") }
}
