import Glibc
import PrefsReferenceModel

/// `soak` runs random traces on the engine and the reference model.
@main enum Main {
    static func main() async throws {
        exit(try await Soak.run() ? 0 : 1)
    }
}
