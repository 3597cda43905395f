import LayeredPrefsCommands

/// The `prefs` command-line tool for administrators.
@main
enum Main {
    static func main() { PrefsCommandLine.runTool() }
}
