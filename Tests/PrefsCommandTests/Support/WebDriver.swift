import Foundation
import LayeredPrefsTesting

/// A browser, driven through the WebDriver protocol.
final class WebDriver: @unchecked Sendable {
    // Sendable: nothing changes after the initializer.
    private let driver: Process
    private let port: UInt16
    private let session: String
    /// The temporary folder of the browser, because the browser leaves files behind.
    private let folder: PrefsSandbox
    /// The server of the page. It ends when it is released.
    private let page: PageRun

    struct Failure: Error { let reason: String }

    /// Starts Chromium without a window.
    init(_ page: PageRun, width: Int, height: Int, isDark: Bool = false) throws {
        self.page = page
        folder = try PrefsSandbox()
        (driver, port) = try Self.start(in: folder.root)
        let arguments =
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--window-size=\(width),\(height)", "--hide-scrollbars",
            ]
            + (isDark
                ? ["--force-dark-mode", "--blink-settings=preferredColorScheme=0"]
                : ["--blink-settings=preferredColorScheme=1"])
        let options: [String: Any] = ["args": arguments, "binary": "/usr/bin/chromium"]
        let answer = try Self.send(
            port, "POST", "/session",
            ["capabilities": ["alwaysMatch": ["goog:chromeOptions": options]]])
        guard let id = (answer as? [String: Any])?["sessionId"] as? String else {
            driver.terminate()
            throw Failure(reason: "no session: \(answer)")
        }
        session = "/session/\(id)"
        _ = try Self.send(port, "POST", "\(session)/window/rect", ["width": width, "height": height])
    }

    /// Starts the driver with a temporary folder. Returns the driver and its port.
    private static func start(in folder: String) throws -> (Process, UInt16) {
        var text = ""
        for _ in 1...10 {
            let driver = Process()
            let pipe = Pipe()
            driver.executableURL = URL(fileURLWithPath: "/usr/bin/chromedriver")
            driver.arguments = ["--port=0"]
            driver.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": folder]) { $1 }
            driver.standardOutput = pipe
            driver.standardError = FileHandle.nullDevice
            try driver.run()
            text = ""
            while case let chunk = pipe.fileHandleForReading.availableData, !chunk.isEmpty {
                text += String(decoding: chunk, as: UTF8.self)
                let port = text.firstMatch(of: /started successfully on port ([0-9]+)/)?.1
                if let port = port.flatMap({ UInt16($0) }) { return (driver, port) }
            }
            // The driver needs the port for both IPv6 and IPv4, and ends if it is not free for both.
            guard text.contains("port not available") else { break }
        }
        throw Failure(reason: "chromedriver ended: \(text)")
    }

    deinit {
        guard driver.isRunning else { return }
        // This test has failed. Without the driver, the browser would go on.
        end()
    }

    /// Ends the browser and the driver.
    func end() {
        _ = try? Self.send(port, "DELETE", session, nil)
        let ends = (try? Self.send(port, "GET", "/shutdown", nil)) != nil
        if !ends { kill(driver.processIdentifier, SIGKILL) }
        driver.waitUntilExit()
    }

    func visit(_ url: String) throws {
        _ = try Self.send(port, "POST", "\(session)/url", ["url": url])
    }

    /// Runs the body of a function and returns the function's result.
    @discardableResult
    func run(_ script: String, _ arguments: [Any] = []) throws -> Any {
        try Self.send(port, "POST", "\(session)/execute/sync", ["script": script, "args": arguments])
    }

    /// Waits until an expression is true, as long as a very slow machine may need.
    func wait(until expression: String) throws {
        let script = """
            const done = arguments[arguments.length - 1];
            const end = Date.now() + 90000;
            (function look() {
              let is = false;
              try { is = Boolean(\(expression)); } catch (error) { if (Date.now() > end) return done(String(error)); }
              if (is) done(null); else if (Date.now() > end) done("no: " + document.body.innerText.slice(0, 2000)); else setTimeout(look, 20);
            })();
            """
        _ = try Self.send(port, "POST", "\(session)/timeouts", ["script": 120_000])
        let result = try Self.send(port, "POST", "\(session)/execute/async", ["script": script, "args": []])
        if let reason = result as? String { throw Failure(reason: "\(expression): \(reason)") }
    }

    /// Presses keys. Special keys are characters of the protocol, such as `\u{E015}` for the down arrow.
    func press(_ keys: String) throws {
        let actions = keys.flatMap { key in
            [["type": "keyDown", "value": String(key)], ["type": "keyUp", "value": String(key)]]
        }
        _ = try Self.send(
            port, "POST", "\(session)/actions",
            ["actions": [["type": "key", "id": "keyboard", "actions": actions] as [String: Any]]])
    }

    /// Takes a picture of the window as a PNG.
    func picture() throws -> Data {
        let answer = try Self.send(port, "GET", "\(session)/screenshot", nil)
        guard let text = answer as? String, let data = Data(base64Encoded: text) else {
            throw Failure(reason: "no picture")
        }
        return data
    }

    /// Sends a request on its own connection, because URLSession does not understand the driver's headers.
    private static func send(
        _ port: UInt16, _ method: String, _ path: String, _ body: [String: Any]?
    ) throws -> Any {
        let content = try body.map { try JSONSerialization.data(withJSONObject: $0) } ?? Data()
        let connection = try PageConnection(port, seconds: 180)
        try connection.write(
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: \(content.count)\r\n\r\n"
        )
        try connection.write(String(decoding: content, as: UTF8.self))
        var received = Data()
        var answer: Data?
        while answer == nil, let chunk = try connection.read() {
            received += chunk
            guard let end = received.firstRange(of: Data("\r\n\r\n".utf8)) else { continue }
            let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
            let field = head.lowercased().firstMatch(of: /content-length: *([0-9]+)/)
            guard let length = field.flatMap({ Int($0.1) }) else {
                throw Failure(reason: "no length in \(head)")
            }
            if received.count >= end.upperBound + length { answer = Data(received[end.upperBound...]) }
        }
        let object = try JSONSerialization.jsonObject(with: answer ?? Data()) as? [String: Any]
        let value = object?["value"] ?? NSNull()
        if let failure = value as? [String: Any], let error = failure["error"] {
            throw Failure(reason: "\(error): \(failure["message"] ?? "")")
        }
        return value
    }
}
