#if Configuration
    import CMeasuring
    import Configuration
    import Foundation
    import SystemPackage

    /// apple/swift-configuration as a peer of `Bench`. It answers each request of one line with one line.
    ///
    /// - `read N` · `readString N`: nanoseconds for one of N reads through five providers.
    /// - `load PATH`: milliseconds of CPU time to read and parse a property list from scratch, the minimum cost
    ///   of a reload.
    /// - `watch PATH KEY MILLISECONDS`: from then on prints `seen NUMBER TIME` for each value, polling at that
    ///   interval.
    @main
    enum PeerConfiguration {
        static func main() async throws {
            let reader = try await makeReader()
            while let line = readLine() {
                let words = line.split(separator: " ").map(String.init)
                switch words[0] {
                case "read":
                    answer(perRead(Int(words[1]) ?? 1) { reader.int(forKey: "http.port", default: 80) })
                case "readString":
                    answer(
                        perRead(Int(words[1]) ?? 1) {
                            reader.string(forKey: "http.host", default: "localhost").utf8.count
                        })
                case "load": answer(try await load(words[1]))
                case "watch": try await watch(words[1], words[2], Int(words[3]) ?? 100)
                default: say("skip unknown request \(words[0])")
                }
            }
        }

        private static func answer(_ number: Double) { say("\(number)") }

        /// Prints a line without C's streams, because a thread that waits for input locks them.
        private static func say(_ line: String) {
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }

        private static func perRead(_ count: Int, _ read: () -> Int) -> Double {
            let start = bench_thread_time()
            for _ in 0..<count { bench_keep(Int64(read())) }
            return Double(bench_thread_time() - start) / Double(count)
        }

        /// Makes the same five sources, in order of precedence and with the same number of keys.
        private static func makeReader() async throws -> ConfigReader {
            let folder = NSTemporaryDirectory() + "bench-configuration-\(getpid())"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data(contents(30, port: 8443).utf8).write(to: URL(filePath: folder + "/user.plist"))
            try Data(contents(60, port: 8080).utf8).write(to: URL(filePath: folder + "/system.plist"))
            return ConfigReader(providers: [
                InMemoryProvider(values: ["group0.setting0": 1]),
                EnvironmentVariablesProvider(environmentVariables: [
                    "LOG_LEVEL": "debug", "CACHE_SIZE": "4096", "PATH": "/usr/bin", "HOME": "/home/ada",
                ]),
                try await FileProvider<PropertyListSnapshot>(filePath: FilePath(folder + "/user.plist")),
                try await FileProvider<PropertyListSnapshot>(filePath: FilePath(folder + "/system.plist")),
                InMemoryProvider(values: defaults),
            ])
        }

        private static var defaults: [AbsoluteConfigKey: ConfigValue] {
            var values: [AbsoluteConfigKey: ConfigValue] = ["http.port": 80, "http.host": "localhost"]
            for index in 0..<100 {
                values[AbsoluteConfigKey(["group\(index % 97)", "setting\(index)"])] = ConfigValue(
                    .int(index), isSecret: false)
            }
            return values
        }

        private static func contents(_ count: Int, port: Int) -> String {
            var groups = "<key>http</key><dict><key>port</key><integer>\(port)</integer>"
            groups += "<key>host</key><string>a-host-name-of-some-length-\(port).example</string></dict>"
            for index in 0..<count {
                groups += "<key>group\(index)</key><dict><key>setting\(index)</key>"
                groups += "<integer>\(index)</integer></dict>"
            }
            return
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(groups)</dict></plist>"
        }

        private static func load(_ path: String) async throws -> Double {
            let start = bench_process_time()
            let provider = try await FileProvider<PropertyListSnapshot>(filePath: FilePath(path))
            let time = Double(bench_process_time() - start) / 1e6
            withExtendedLifetime(provider) {}
            return time
        }

        private static func watch(_ path: String, _ key: String, _ milliseconds: Int) async throws {
            let provider = try await ReloadingFileProvider<PropertyListSnapshot>(
                filePath: FilePath(path), pollInterval: .milliseconds(milliseconds))
            let reader = ConfigReader(provider: provider)
            Task { try await provider.run() }
            Task {
                try await reader.watchInt(forKey: ConfigKey(key), default: -1) { updates in
                    for await value in updates {
                        say("seen \(value) \(bench_time())")
                    }
                }
            }
            say("0")
        }
    }
#else
    /// Skips every request, because the program was built without the trait Configuration.
    @main
    enum PeerConfiguration {
        static func main() {
            while readLine() != nil { print("skip built without swift-configuration") }
        }
    }
#endif
