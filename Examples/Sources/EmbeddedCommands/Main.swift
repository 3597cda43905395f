import ArgumentParser
import LayeredPrefs
import LayeredPrefsCommands

/// A program that embeds the commands of the tool `prefs` as its own subcommand `config`, with its schema
/// known:
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
        commandName: "myd", abstract: "Run the server, or inspect its configuration.",
        subcommands: [Serve.self, PrefsCommands<Configuration>.self, ExportSchema.self],
        defaultSubcommand: Serve.self)

    /// Replaces the parser's own `main`, for the exit codes of `prefs`.
    static func main() { PrefsCommandLine.run(Main.self) }
}

/// The domain and keys that `config` works on.
enum Configuration: PrefsCommandSource {
    static let domainName = "com.example.myd"

    static var domain: String? { domainName }
    static var keys: [PrefsKeyDescription] { Prefs.keys }
}

/// `myd serve`: the program's use of its preferences.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the address to listen on.")

    func run() {
        let prefs = Prefs()
        print("\(prefs.http.host):\(prefs.http.port), log level \(prefs.logLevel)")
    }
}

/// `myd export-schema`: prints the schema that a package installs as
/// `/usr/share/prefs/schemas/com.example.myd.schema.json`, so that `prefs --domain com.example.myd` knows as
/// much as `myd config`.
struct ExportSchema: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the JSON Schema of the configuration.")

    func run() { print(Prefs.jsonSchema(environmentPrefix: "MYD_"), terminator: "") }
}
