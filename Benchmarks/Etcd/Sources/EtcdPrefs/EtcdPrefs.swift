import Foundation
import LayeredPrefs
import LayeredPrefsEtcd

/// The program that `Benchmarks/Etcd/run` measures.
///
///     EtcdPrefs watch URL            prints the value and the time of each change of `number`
///     EtcdPrefs list URL SAMPLES     prints the milliseconds for listing and committing all keys, then for a
///                                    request whose answer is only parsed, in turns
@main struct EtcdPrefs {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else { exit(64) }
        switch arguments[1] {
        case "watch": watch(arguments[2])
        case "list": try list(arguments[2], samples: Int(arguments[3]) ?? 10)
        default: exit(64)
        }
    }

    private static func storage(_ url: String) -> EtcdPrefsStorage {
        EtcdPrefsStorage(endpoints: [url], prefix: "/prefs/bench/", cache: .none)
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private static func watch(_ url: String) {
        let storage = PrefsStack { PrefsLayer("fleet", Self.storage(url)) }
        let observation = storage.observe(PersistentKey("number", defaultValue: -1)) { change in
            let time = now
            FileHandle.standardOutput.write(Data("\(change.new.value) \(time)\n".utf8))
        }
        FileHandle.standardOutput.write(Data("ready\n".utf8))
        withExtendedLifetime(observation) { while true { pause() } }
    }

    private static func list(_ url: String, samples: Int) throws {
        for _ in 0..<samples {
            let start = now
            let storage = PrefsStack { PrefsLayer("fleet", Self.storage(url)) }
            guard storage.snapshot.dictionary["k9999"] != nil else { fatalError("not all keys are listed") }
            let listed = now
            let count = try parsedCount(url)
            let parsed = now
            guard count >= 10_000 else { fatalError("\(count) keys are parsed") }
            print(Double(listed - start) / 1e6, Double(parsed - listed) / 1e6)
        }
    }

    /// Asks for all keys with `curl` and parses the answer and each value.
    private static func parsedCount(_ url: String) throws -> Int {
        let (key, end) = ("/prefs/bench/", "/prefs/bench0")
        let request = [
            "key": Data(key.utf8).base64EncodedString(), "range_end": Data(end.utf8).base64EncodedString(),
        ]
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = [
            "-sd", String(decoding: try JSONEncoder().encode(request), as: UTF8.self), "\(url)/v3/kv/range",
        ]
        let pipe = Pipe()
        curl.standardOutput = pipe
        try curl.run()
        let answer = try pipe.fileHandleForReading.readToEnd() ?? Data()
        struct Pair: Decodable { var key, value: Data }
        struct Answer: Decodable { var kvs: [Pair] }
        var values: [String: Any] = [:]
        for pair in try JSONDecoder().decode(Answer.self, from: answer).kvs {
            values[String(decoding: pair.key, as: UTF8.self)] =
                try JSONSerialization.jsonObject(with: pair.value, options: .fragmentsAllowed)
        }
        return values.count
    }
}
