import LayeredPrefs

extension PersistentKey where Value == Bool {
    /// A switch for development: in a release build it is always on, regardless of all layers.
    static var usesRealServer: Self {
        Self("server.real", defaultValue: false, .debugOnly(releaseValue: true))
    }
}

/// A demonstration of a debug key and the debug layer. Both are only active if the library itself was built
/// for debugging, so that no storage and no file can enable them in a release.
@main
enum DebugOverrides {
    static func main() {
        let storage = LayeredPrefsStorage {
            PrefsLayer.defaults(["log.level": "info", "server.real": false])
            PrefsLayer.debug(DictionaryPrefsStorage(values: ["log.level": "trace"]))
        }
        let isMutable = PersistentKey.usesRealServer.isMutable
        print("# LayeredPrefs was built for", isMutable ? "debugging" : "release")
        print(storage.explanation(for: .usesRealServer))
        print(storage.explanation(forKey: "log.level"))
    }
}
