import CMeasuring
import FileWatching
import Foundation
import LayeredPrefs
import Synchronization

/// The time from the rename of an edited file until an observer is called with the new value.
enum Latency {
    static let group = "An edited file reaches an observer"
    static let floor = "C: inotify, read, scan"
    static let equalWork = "C: equal work (poll, notices, lstat, re-arm, parse, compare)"

    static let rows = [
        Row(
            "latency.rename", in: group, "Rename to typed observer, five layers", unit: "µs",
            how: """
                wall clock from right before rename(2) until the observer has the new Int; contenders take \
                turns, with pauses in between
                """
        ) { try rename(&$0, rounds: 150) },
        Row(
            "latency.hot", in: group, "Rename to typed observer, 1 ms after the edit before", unit: "µs",
            how: "as latency.rename, but each contender has its edits in a row, 1 ms apart, not coalesced"
        ) { try hot(&$0, rounds: 40) },
        Row(
            "latency.current", in: group, "Rename to a configuration of forty fields", unit: "µs",
            how: """
                as latency.rename, until an observer of the configuration has the new value, decoded, or a closure of \
                apply is called with it; for viper, until it has read the file again and a struct of as many fields \
                is unmarshalled
                """
        ) { try configuration(&$0, rounds: 100) },
        Row(
            "latency.polling", in: group, "Rename to observer, with a polling peer", unit: "ms",
            how: "as latency.rename, with few rounds; the peer's default interval is 15 s", measure: polling),
    ]

    private static func rename(_ turns: inout Turns, rounds: Int) throws {
        let folder = try Folder()
        let floor = try FloorFollower(folder)
        let ours = try StackFollower()
        let equal = try EqualWorkFollower(equalWork, hops: false)
        var followers: [any Follower] = [
            floor, equal, try EqualWorkFollower(equalWork + ", second thread", hops: true), ours,
        ]
        followers += turns.following(
            "viper and fsnotify", program: "PeerViper", key: "http.port", isJSON: true)
        followers += turns.following(
            "Python: watchdog, plistlib", program: "PeerPython", key: "number", isJSON: false)
        let settings = turns.settings()
        var samples = followers.map { _ in [Double]() }
        var changes: [Double] = []
        for round in 0..<rounds {
            for (index, follower) in followers.enumerated() {
                if let time = try follower.time(of: 1000 + round) { samples[index].append(time / 1000) }
            }
            // GSettings' bus is slow, so a quarter of the rounds is enough.
            if round % 4 == 0, let settings { changes.append(try settings.ask("set \(1000 + round)")) }
            usleep(60_000)
        }
        for (follower, samples) in zip(followers, samples) { turns.add(follower, samples) }
        if !changes.isEmpty { turns.add("GSettings and dconf", .peer, changes) }
        for statistic in [Goal.Statistic.median, .p99] {
            turns.expect(ours.name, .atMost, 2.5, equal.name, by: statistic)
            turns.expect(ours.name, .atMost, 0.9, "viper and fsnotify", by: statistic)
            turns.expect(ours.name, .atMost, 0.05, "GSettings and dconf", by: statistic)
        }
    }

    /// Takes samples in series, so that each contender's edits follow each other closely.
    private static func hot(_ turns: inout Turns, rounds: Int) throws {
        let ours = try StackFollower(coalescing: .immediate)
        let equal = try EqualWorkFollower(equalWork, hops: false)
        let followers: [any Follower] = [
            equal, try EqualWorkFollower(equalWork + ", second thread", hops: true), ours,
        ]
        var samples = followers.map { _ in [Double]() }
        for round in 0..<rounds {
            for (index, follower) in followers.enumerated() {
                // The first edits of a series find cold processor caches.
                for edit in 0..<8 {
                    let time = try follower.time(of: 1000 + round * 8 + edit)
                    if edit >= 3, let time { samples[index].append(time / 1000) }
                    usleep(1_000)
                }
            }
        }
        for (follower, samples) in zip(followers, samples) { turns.add(follower, samples) }
        turns.expect(ours.name, .atMost, 2.5, equal.name, by: .median)
    }

    private static func configuration(_ turns: inout Turns, rounds: Int) throws {
        let observer = try StackFollower()
        let current = try ConfigurationFollower("configuration, observed", asks: false)
        let apply = try ConfigurationFollower("configuration, apply", asks: true)
        let viper = "viper and fsnotify, Unmarshal"
        var followers: [any Follower] = [observer, current, apply]
        followers += turns.following(
            viper, program: "PeerViper", key: "http.port", isJSON: true, request: "unmarshal")
        var samples = followers.map { _ in [Double]() }
        for round in 0..<rounds {
            for (index, follower) in followers.enumerated() {
                if let time = try follower.time(of: 1000 + round) { samples[index].append(time / 1000) }
            }
            usleep(60_000)
        }
        for (follower, samples) in zip(followers, samples) { turns.add(follower, samples) }
        turns.expect(current.name, .atMost, 2, observer.name, by: .median)
        turns.expect(apply.name, .atMost, 2, observer.name, by: .median)
        turns.expect(current.name, .atMost, 1, viper, by: .median)
    }

    private static func polling(_ turns: inout Turns) throws {
        let ours = try StackFollower()
        var followers: [any Follower] = [ours]
        followers += turns.following(
            "swift-configuration, polling every 100 ms", program: "PeerConfiguration", key: "http.port",
            isJSON: false)
        var samples = followers.map { _ in [Double]() }
        for round in 0..<21 {
            for (index, follower) in followers.enumerated() {
                usleep(70_000 + UInt32.random(in: 0..<100_000))
                if let time = try follower.time(of: 1000 + round) { samples[index].append(time / 1e6) }
            }
        }
        for (follower, samples) in zip(followers, samples) { turns.add(follower, samples) }
    }
}

extension Turns {
    /// Returns a peer that follows a file of its own. If the peer is not available, records it as skipped and
    /// returns none.
    fileprivate mutating func following(
        _ name: String, program: String, key: String, isJSON: Bool, request: String = "watch"
    ) -> [PeerFollower] {
        do {
            return [
                try PeerFollower(name, program: program, key: key, isJSON: isJSON, request: request)
            ]
        } catch {
            skip(name, because: (error as? Peer.Absence)?.reason ?? "\(error)")
            return []
        }
    }

    fileprivate mutating func add(_ follower: any Follower, _ samples: [Double]) {
        guard !samples.isEmpty else {
            return skip(follower.name, because: "never reported a change within a second")
        }
        add(follower.name, follower.role, samples)
    }

    fileprivate mutating func settings() -> Peer? {
        do {
            let peer = try Peer("GSettings and dconf", program: "PeerGSettings")
            for number in 1...5 { _ = try peer.ask("set \(number)") }
            return peer
        } catch {
            skip("GSettings and dconf", because: (error as? Peer.Absence)?.reason ?? "\(error)")
            return nil
        }
    }
}

/// A program that notices a replaced file and reads a number in it.
private protocol Follower {
    var name: String { get }
    var role: Figure.Role { get }
    /// Replaces the file with one that contains a number. Returns the nanoseconds until the number was seen.
    func time(of number: Int) throws -> Double?
}

private struct FloorFollower: Follower {
    let name = Latency.floor
    let role = Figure.Role.floor
    let folder: Folder

    init(_ folder: Folder) throws {
        self.folder = folder
        guard bench_floor_start() == 0 else { throw Peer.Absence(reason: "no inotify") }
        try folder.write(FiveLayers.user(port: 8443), to: "user.plist")
        bench_floor_arm(folder.path, "user.plist", "port")
    }

    func time(of number: Int) throws -> Double? {
        let bytes = Array(FiveLayers.user(port: number).utf8)
        let start = bench_replace_timed(folder.path + "/user.plist", bytes, Int64(bytes.count))
        return wait(from: start) { bench_floor_seen(Int64(number)) }
    }
}

private struct EqualWorkFollower: Follower {
    let name: String
    let role = Figure.Role.floor
    private let folder: Folder
    private let follower: OpaquePointer

    init(_ name: String, hops: Bool) throws {
        self.name = name
        folder = try Folder()
        try folder.write(FiveLayers.user(port: 8443), to: "user.plist")
        guard let follower = bench_equal_start(folder.path, "user.plist", "port", hops ? 1 : 0) else {
            throw Peer.Absence(reason: "no inotify")
        }
        self.follower = follower
    }

    func time(of number: Int) throws -> Double? {
        let bytes = Array(FiveLayers.user(port: number).utf8)
        let start = bench_replace_timed(folder.path + "/user.plist", bytes, Int64(bytes.count))
        return wait(from: start) { bench_equal_seen(follower, Int64(number)) }
    }
}

private final class StackFollower: Follower {
    let name = "typed observer, five layers"
    let role = Figure.Role.ours
    private let layers: FiveLayers
    private let last: LastSeen
    private let observation: PrefsObservation

    init(coalescing: PrefsCoalescing = .standard) throws {
        let layers = try FiveLayers(coalescing: coalescing)
        let last = LastSeen()
        observation = layers.storage.observe(.port) { change in last.note(Int64(change.new.value)) }
        self.layers = layers
        self.last = last
    }

    func time(of number: Int) throws -> Double? {
        let bytes = Array(FiveLayers.user(port: number).utf8)
        let start = bench_replace_timed(layers.userFile, bytes, Int64(bytes.count))
        return wait(from: start) { last.seen(Int64(number)) }
    }
}

private final class ConfigurationFollower: Follower {
    let name: String
    let role = Figure.Role.ours
    private let layers: FiveLayers
    private let live: Live<Settings>
    private let last: LastSeen
    private let registration: Any

    /// - Parameter asks: True to take the time when an `apply` handler is asked, false to take it when the value
    ///   is active.
    init(_ name: String, asks: Bool) throws {
        let layers = try FiveLayers()
        let last = LastSeen()
        let live = try Live(Settings(), layers.storage)
        registration =
            asks
            ? live.apply(\.http) { _, new in last.note(Int64(new.port)) }
            : live.observe { _, new in last.note(Int64(new.http.port)) }
        (self.name, self.layers, self.live, self.last) = (name, layers, live, last)
    }

    func time(of number: Int) throws -> Double? {
        let bytes = Array(FiveLayers.user(port: number).utf8)
        let start = bench_replace_timed(layers.userFile, bytes, Int64(bytes.count))
        return wait(from: start) { last.seen(Int64(number)) }
    }
}

private final class PeerFollower: Follower {
    let name: String
    let role = Figure.Role.peer
    private let folder: Folder
    private let path: String
    private let peer: Peer
    private let isJSON: Bool

    /// - Parameter request: The peer's task for the file and the key.
    init(_ name: String, program: String, key: String, isJSON: Bool, request: String) throws {
        self.name = name
        self.isJSON = isJSON
        folder = try Folder()
        path = folder.path + (isJSON ? "/user.json" : "/user.plist")
        peer = try Peer(name, program: program)
        _ = try replace(8443)
        _ = try peer.ask("\(request) \(path) \(key) 100")
        usleep(300_000)
    }

    func time(of number: Int) throws -> Double? {
        let start = try replace(number)
        while true {
            guard let line = try? peer.line(within: 1_000) else { return nil }
            let words = line.split(separator: " ")
            if words.count == 3, words[1] == "\(number)", let time = Int64(words[2]) {
                return Double(time - start)
            }
        }
    }

    private func replace(_ number: Int) throws -> Int64 {
        let bytes = Array((isJSON ? Self.json(number) : Self.plist(number)).utf8)
        return bench_replace_timed(path, bytes, Int64(bytes.count))
    }

    /// Returns a file with as many keys as the property list, in a form that viper can read.
    private static func json(_ number: Int) -> String {
        let others = (0..<36).map { "\"setting\($0)\": \"value number \($0)\"" }.joined(separator: ",\n")
        return "{\"http\": {\"port\": \(number), \"host\": \"example\"},\n\(others)}\n"
    }

    private static func plist(_ number: Int) -> String {
        PropertyList.text(
            [("number", .integer(Int128(number)))] + FiveLayers.subjects(number)
                + PropertyList.sample(30).filter { $0.1.kind != .real })
    }
}

private func wait(from start: Int64, _ seen: () -> Int64) -> Double? {
    let deadline = start + 2_000_000_000
    while seen() == 0, bench_time() < deadline { usleep(200) }
    let end = seen()
    return end == 0 ? nil : Double(end - start)
}

/// The last number that a callback saw. Another thread can read it.
private final class LastSeen: Sendable {
    private let number = Atomic<Int64>(0)
    private let time = Atomic<Int64>(0)

    func note(_ number: Int64) {
        time.store(bench_time(), ordering: .relaxed)
        self.number.store(number, ordering: .releasing)
    }

    func seen(_ number: Int64) -> Int64 {
        self.number.load(ordering: .acquiring) == number ? time.load(ordering: .relaxed) : 0
    }
}
