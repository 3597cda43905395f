import ArgumentParser

/// The option of the commands that can print JSON.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false
}
