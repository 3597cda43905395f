import CMeasuring
import Foundation

/// A contender that runs in its own process.
///
/// It reads a request of one line from its input and answers with one line: a number, or `skip` and a reason. So
/// peers in any language can take turns with the code in this process.
final class Peer {
    struct Absence: Error {
        let reason: String
    }

    let name: String
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    /// Starts a peer that Scripts/bench has built. Throws if it has not been built.
    init(_ name: String, program: String, arguments: [String] = [], environment: [String: String] = [:])
        throws
    {
        self.name = name
        guard let path = Self.path(of: program) else { throw Absence(reason: "not built: \(program)") }
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    deinit {
        guard process.isRunning else { return }
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// Returns the path of a program in this program's folder or in the folder that `BENCH_PEERS` names.
    static func path(of program: String) -> String? {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders: [String?] = [
            URL(filePath: own).deletingLastPathComponent().path,
            ProcessInfo.processInfo.environment["BENCH_PEERS"],
        ]
        return folders.compactMap { $0.map { "\($0)/\(program)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Sends a request and returns the peer's answer.
    func ask(_ question: String) throws -> Double {
        try notifyObservers(question)
        return try answer()
    }

    func notifyObservers(_ question: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((question + "\n").utf8))
    }

    /// Waits for the next line and returns it.
    func line(within milliseconds: Int32 = 60_000) throws -> String {
        while true {
            if let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                rest = Data(rest[rest.index(after: end)...])
                return line
            }
            try receive(within: milliseconds)
        }
    }

    private func receive(within milliseconds: Int32) throws {
        let file = output.fileHandleForReading.fileDescriptor
        var poll = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, milliseconds) > 0 else { throw Absence(reason: "no answer") }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { throw Absence(reason: "ended") }
        rest.append(contentsOf: bytes.prefix(count))
    }

    private func answer() throws -> Double {
        let line = try line()
        if line.hasPrefix("skip") { throw Absence(reason: String(line.dropFirst(5))) }
        guard let number = Double(line) else { throw Absence(reason: "answered \(line)") }
        return number
    }
}

extension Turns {
    /// Returns a contender that sends a request to a peer for each sample. If the peer is not available, records
    /// it as skipped and returns none.
    mutating func contender(
        _ name: String, program: String, arguments: [String] = [], asking question: String
    ) -> [Contender] {
        do {
            let peer = try Peer(name, program: program, arguments: arguments)
            _ = try peer.ask(question)
            return [Contender(name, .peer) { try peer.ask(question) }]
        } catch {
            skip(name, because: (error as? Peer.Absence)?.reason ?? "\(error)")
            return []
        }
    }
}
