import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The least a program with FoundationEssentials does: start, look at its environment, end.
@main
enum StartEmpty {
    static func main() {
        print(ProcessInfo.processInfo.environment["BENCH_FOLDER"] == nil ? 0 : 1)
        fflush(nil)
    }
}
