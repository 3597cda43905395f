import LayeredPrefs

extension PersistentKeyProtocol where Self == PersistentDebugKey<Bool> {
    /// A switch for development: in a release build it is on, whatever any layer says.
    static var usesRealServer: Self {
        Self("server.real", debugDefaultValue: false, releaseDefaultValue: true)
    }
}

/// A debug key and the debug layer: both exist in development builds only, decided by the library's own
/// build, so that no storage and no file can bring them back.
@main
enum DebugOverrides {
    static func main() {
        let storage = LayeredPrefsStorage {
            PrefsLayer.defaults(["log.level": "info", "server.real": false])
            PrefsLayer.debug(DictionaryPrefsStorage(values: ["log.level": "trace"]))
        }
        print("# LayeredPrefs was built for", PersistentDebugKeys.areMutable ? "debugging" : "release")
        print(storage.explain(.usesRealServer))
        print(storage.explain("log.level"))
    }
}
