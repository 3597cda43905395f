import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The minimal program with FoundationEssentials. It reads its environment and exits.
@main
enum StartEmpty {
    static func main() {
        print(ProcessInfo.processInfo.environment["BENCH_FOLDER"] == nil ? 0 : 1)
        fflush(nil)
    }
}
