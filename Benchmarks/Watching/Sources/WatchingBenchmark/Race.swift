import Floor
import Glibc

/// Replaces one file again and again, and measures until it has been read.
struct Race {
    let directory: String
    let name: String
    private var number: Int64 = 0

    init(directory: String, name: String) {
        self.directory = directory
        self.name = name
    }

    /// Nanoseconds from before the rename until after the read, for each of `rounds`.
    mutating func run(_ contestant: any Contestant, rounds: Int) -> [Int64] {
        contestant.arm()
        defer { contestant.disarm() }
        // What arming leaves behind is not to be measured.
        usleep(5_000)
        return (0..<rounds).compactMap { _ in replace(for: contestant) }
    }

    private mutating func replace(for contestant: any Contestant) -> Int64? {
        number += 1
        let path = directory + "/" + name
        write(number, to: path + ".tmp")
        let start = floor_now()
        rename(path + ".tmp", path)
        let deadline = start + 1_000_000_000
        while contestant.seen(number) == 0, floor_now() < deadline { usleep(200) }
        let end = contestant.seen(number)
        usleep(300)
        return end == 0 ? nil : end - start
    }

    private func write(_ number: Int64, to path: String) {
        let file = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
        let text = Array("\(number)\n".utf8)
        _ = Glibc.write(file, text, text.count)
        close(file)
    }
}

extension [Int64] {
    var median: Int64 { isEmpty ? 0 : sorted()[count / 2] }

    var summary: String {
        let least = self.min() ?? 0
        return "min \(microseconds(least)) median \(microseconds(median)) µs of \(count)"
    }

    private func microseconds(_ value: Int64) -> String {
        "\(value / 1000).\(value % 1000 / 100)"
    }
}
