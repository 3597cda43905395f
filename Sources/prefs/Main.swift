import LayeredPrefsCommands

/// The command line for whoever runs the machine.
@main
enum Main {
    static func main() { PrefsCommandLine.runTool() }
}
