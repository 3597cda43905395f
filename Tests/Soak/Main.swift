import Glibc
import PrefsReferenceModel

/// `soak` runs random traces; `soak --mutants` lists the engine's mutants.
@main enum Main {
    static func main() async throws {
        if CommandLine.arguments.contains("--mutants") { return Soak.mutants.forEach { print($0) } }
        exit(try await Soak.run() ? 0 : 1)
    }
}
