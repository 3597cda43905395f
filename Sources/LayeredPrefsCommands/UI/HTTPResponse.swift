import FoundationEssentials

/// A response. Its headers keep other origins, caches and scripts away from the page.
struct HTTPResponse {
    var status = 200
    let type: String
    let body: [UInt8]

    static let jsonType = "application/json; charset=utf-8"

    /// The head and the body. The head contains the length of the body.
    var bytes: [UInt8] {
        Self.head(status, type, ["Content-Length: \(body.count)"]) + body
    }

    static func head(_ status: Int, _ type: String, _ more: [String] = []) -> [UInt8] {
        let lines =
            ["HTTP/1.1 \(status) \(reasons[status] ?? "Error")", "Content-Type: \(type)"] + more + [
                "Connection: close", "Cache-Control: no-store",
                "Content-Security-Policy: \(policy)",
                "Cross-Origin-Opener-Policy: same-origin", "Cross-Origin-Resource-Policy: same-origin",
                "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY",
            ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static let reasons = [
        200: "OK", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 411: "Length Required", 413: "Content Too Large",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]
}

extension HTTPResponse {
    /// Creates a JSON response.
    init(_ status: Int = 200, json value: some Encodable) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            let error = #"{"error":"not representable in JSON"}"#
            self.init(status: 500, type: Self.jsonType, body: Array(error.utf8))
            return
        }
        self.init(status: status, type: Self.jsonType, body: Array(data))
    }

    init(_ failure: HTTPRequest.Failure) { self.init(failure.status, json: ["error": failure.reason]) }
}
