import Foundation
import Synchronization

/// A running `prefs ui`, and an HTTP client that can send anything.
final class PageRun: @unchecked Sendable {
    // Sendable: nothing changes after the initializer.
    private let process = Process()
    let url: String
    let token: String
    private let port: UInt16

    struct Answer {
        let status: Int
        let head: String
        let body: String

        var object: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
        }
    }

    struct Failure: Error { let reason: String }

    init(
        _ sandbox: Sandbox, _ arguments: [String], layers: [String]? = nil,
        environment: [String: String] = [:]
    ) throws {
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: Sandbox.tool)
        process.arguments = ["ui", "--print-url"] + (layers ?? sandbox.layers) + arguments
        process.environment = sandbox.environment.merging(environment) { $1 }
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != 10 {
            let chunk = pipe.fileHandleForReading.availableData
            if chunk.isEmpty { throw Failure(reason: "prefs ui ended") }
            line += chunk
        }
        url = String(decoding: line.dropLast(), as: UTF8.self)
        guard let parts = URLComponents(string: url), let port = parts.port,
            let token = parts.fragment?.split(separator: "&").first?.dropFirst("token=".count)
        else { throw Failure(reason: "unexpected URL \(url)") }
        self.port = UInt16(port)
        self.token = String(token)
    }

    deinit { end() }

    func end() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    /// Exchanges the token for a session.
    func open() throws -> String {
        let answer = try post("/api/session", ["token": token], session: nil)
        guard let session = answer.object["session"] as? String else { throw Failure(reason: answer.body) }
        return session
    }

    func get(_ path: String, session: String?) throws -> Answer {
        try send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(authorization(session))\r\n")
    }

    func post(_ path: String, _ body: [String: any Sendable], session: String?) throws -> Answer {
        let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
        return try send(
            "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nOrigin: http://127.0.0.1:\(port)\r\n\(authorization(session))Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
        )
    }

    /// Sends text and reads the answer until the end.
    func send(_ text: String) throws -> Answer {
        let connection = try PageConnection(port)
        try connection.write(text)
        var received = Data()
        while let chunk = try connection.read() { received += chunk }
        let answer = String(decoding: received, as: UTF8.self)
        guard let end = answer.firstRange(of: "\r\n\r\n"),
            let status = answer.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap({ Int($0) })
        else { throw Failure(reason: "no answer: \(answer)") }
        return Answer(
            status: status, head: String(answer[..<end.lowerBound]), body: String(answer[end.upperBound...]))
    }

    func stream(_ path: String, session: String) throws -> PageConnection {
        let connection = try PageConnection(port)
        try connection.write(
            "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(authorization(session))\r\n")
        return connection
    }

    private func authorization(_ session: String?) -> String {
        session.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    }
}

/// A TCP connection to the loopback interface.
final class PageConnection {
    private let descriptor: CInt
    private(set) var received = ""

    init(_ port: UInt16, seconds: Int = 60) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, size)
            }
        }
        guard result == 0 else { throw PageRun.Failure(reason: "cannot connect: \(errno)") }
    }

    deinit { close(descriptor) }

    func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Foundation.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            // The server may have answered and closed before it has read everything.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns the next bytes; `nil` at the end.
    func read() throws -> Data? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 || errno == ECONNRESET else { throw PageRun.Failure(reason: "no answer in time") }
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    func wait(for text: String) throws {
        while !received.contains(text) {
            guard let chunk = try read() else { throw PageRun.Failure(reason: "ended before \(text)") }
            received += String(decoding: chunk, as: UTF8.self)
        }
    }
}
