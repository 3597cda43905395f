import Testing

@testable import LayeredPrefsCommands

@Suite struct HTTPRequestTests {
    private func request(_ lines: String...) throws -> HTTPRequest {
        try HTTPRequest(head: Array(lines.joined(separator: "\r\n").utf8))
    }

    @Test func `method, path, query and headers are parsed`() throws {
        let request = try request("GET /api/list?key=a.b%2Fc&x HTTP/1.1", "Host: localhost:80", "X-Y:  z\t")
        #expect(request.method == "GET")
        #expect(request.path == "/api/list")
        #expect(request.query == ["key": "a.b/c", "x": ""])
        #expect(request.headers == ["host": "localhost:80", "x-y": "z"])
    }

    @Test(arguments: [
        ("", 400), ("GET", 400), ("GET /", 400), ("GET  / HTTP/1.1", 400), ("GET x HTTP/1.1", 400),
        ("GET http://evil/ HTTP/1.1", 400), ("GET / HTTP/2", 505), ("GET / HTTP/1.1\nHost: a", 400),
        ("GET / HTTP/1.1\r\nHost : a", 400), ("GET / HTTP/1.1\r\n: a", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nhost: b", 400), ("GET / HTTP/1.1\r\nA: \u{1B}[2J", 400),
        ("GET / HTTP/1.1\r\n folded", 400), ("GET /\u{0} HTTP/1.1", 400), ("GET /?a=%zz HTTP/1.1", 400),
        ("GET /?a=%ff HTTP/1.1", 400), ("GET /?a=1&a=2 HTTP/1.1", 400), ("GET /?a=%4 HTTP/1.1", 400),
    ])
    func `a malformed head is refused`(head: String, status: Int) {
        let failure = #expect(throws: HTTPRequest.Failure.self) {
            try HTTPRequest(head: Array(head.utf8))
        }
        #expect(failure?.status == status)
    }

    @Test(arguments: [
        ("Content-Length: 70000", 413), ("Content-Length: -1", 400), ("Content-Length: 1e3", 400),
        ("Content-Length: 99999999999999999999", 400), ("Transfer-Encoding: chunked", 501), ("X: y", 411),
    ])
    func `a body without an acceptable length is refused`(header: String, status: Int) throws {
        let request = try request("POST / HTTP/1.1", header)
        let failure = #expect(throws: HTTPRequest.Failure.self) { try request.contentLength }
        #expect(failure?.status == status)
    }
}
