import LayeredPrefs

/// The settings of a program whose developers can try out other settings in a file.
@PrefsSchema final class Prefs {
    @Storage var storage = PrefsStack {
        PrefsLayer(.user, .file(at: "settings.toml"))
        PrefsLayer.debug(.file(at: "debug.toml"))
    }

    /// The least severe level that is logged.
    @Pref(key: "log.level") var logLevel: String = "info"

    /// True to talk to the real server, as every release build does, whatever its files say.
    @Pref(key: "server.real", debugOnly: true, releaseValue: true) var usesRealServer: Bool = false

    /// The number of times that the program was started.
    @Pref var starts: Int = 0
}

/// A demonstration of a debug layer and a debug key.
///
/// Both exist only if the library itself was built for debugging. A release build never opens `debug.toml`,
/// so no file and no storage can enable the developers' settings in it. In both builds, the program saves its
/// own settings in `settings.toml`.
@main
enum DebugOverrides {
    static func main() throws {
        let prefs = Prefs()
        prefs.starts += 1
        let isMutable = prefs.key(\.usesRealServer).isMutable
        print("# LayeredPrefs was built for", isMutable ? "debugging" : "release")
        print(prefs.storage.explanation(for: prefs.key(\.logLevel)))
        print(prefs.storage.explanation(for: prefs.key(\.usesRealServer)))
        print(prefs.storage.explanation(for: prefs.key(\.starts)))
        let outcome = try prefs.storage.set(prefs.key(\.logLevel), to: "trace", in: .debug)
        print("# log.level in the debug layer: \(outcome)")
    }
}
