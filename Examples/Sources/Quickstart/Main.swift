import LayeredPrefs
import LayeredPrefsInspection

/// The program of the README: prints its settings now, and after each change of one of them.
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
