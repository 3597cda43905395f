import LayeredPrefs
import LayeredPrefsInspection

/// A program with a schema: prints its settings now, and after each change of one of them.
///
/// It answers `prefs ps`, `explain --pid` and the other commands about running programs, and Scripts/make-recordings draws
/// the guides' pictures of the tool with its schema. The program of the README is RelayConfiguration.
///
/// With the argument `schema` it prints the schema that a package installs as
/// `/usr/share/prefs/schemas/com.example.myd.schema.json`.
@main
enum Main {
    static func main() async throws {
        if CommandLine.arguments.dropFirst().first == "schema" {
            return print(Prefs.jsonSchema(environmentPrefix: "MYD_"), terminator: "")
        }
        let prefs = Prefs()
        var inspection: PrefsInspection?
        do {
            inspection = try prefs.storage.serveInspection(domain: "com.example.myd", keys: Prefs.keys)
        } catch {
            print(error)  // The program runs without inspection.
        }
        defer { inspection?.close() }
        for await line in Observations({ "\(prefs.http) \(prefs.logLevel) \(prefs.timeout)" }) { print(line) }
    }
}
