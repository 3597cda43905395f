import FoundationEssentials
import LayeredPrefs

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension PersistentKey where Value == Int {
    fileprivate static var port: Self { Self("http.port", defaultValue: 80) }
}

/// A program that builds a stack of five layers over the files in `BENCH_FOLDER`, reads one value, and exits.
@main
enum StartPrefs {
    static func main() {
        let folder = ProcessInfo.processInfo.environment["BENCH_FOLDER"] ?? "."
        let storage = PrefsStack {
            PrefsLayer.defaults(["http.port": 80])
            PrefsLayer(.system, FilePrefsStorage(path: folder + "/system.plist"))
            PrefsLayer(.user, FilePrefsStorage(path: folder + "/user.plist"))
            PrefsLayer.environment(prefix: "BENCH_")
            PrefsLayer.overrides
        }
        print(storage.get(.port))
        fflush(nil)
    }
}
