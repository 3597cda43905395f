import PrefsSystem

/// Decides which requests are answered.
///
/// The URL that the command prints contains a token in its fragment. Browsers send fragments to no server. The
/// page exchanges the token, once, for a session key and sends that key with each request. There are no cookies: a
/// browser would also send the cookies of 127.0.0.1 to other users' servers on other ports.
final class PageAccess: Sendable {
    private struct State {
        /// The token; `nil` once it has been used.
        var token: String?
        /// The key of the session that began with the token.
        var session: String?
    }

    let token: String
    private let state: Lock<State>

    init() {
        token = Self.secret()
        state = Lock(State(token: token))
    }

    /// Throws unless the request comes from the page itself.
    ///
    /// The header `Origin` gives away a page of another origin. The header `Host` gives away a page whose host
    /// name resolves to this machine. The port may differ, because it may be forwarded.
    static func checkOrigin(of request: HTTPRequest) throws(HTTPRequest.Failure) {
        guard let host = request.headers["host"], isLoopback(host) else {
            throw HTTPRequest.Failure(403, "unexpected host")
        }
        if let origin = request.headers["origin"], origin != "http://\(host)" {
            throw HTTPRequest.Failure(403, "unexpected origin")
        }
        if let site = request.headers["sec-fetch-site"], site != "same-origin", site != "none" {
            throw HTTPRequest.Failure(403, "unexpected origin")
        }
    }

    /// Throws unless the request has the session's key.
    func checkSession(of request: HTTPRequest) throws(HTTPRequest.Failure) {
        guard let header = request.headers["authorization"], header.hasPrefix("Bearer ") else {
            throw HTTPRequest.Failure(401, "no session; open the URL that the command printed")
        }
        let key = String(header.dropFirst("Bearer ".count))
        guard let session = state.withLock({ $0.session }), Self.areEqual(session, key) else {
            throw HTTPRequest.Failure(401, "the session has ended; start the command again")
        }
    }

    /// Exchanges the token for the key of a new session. The token cannot be used again.
    func session(for token: String) throws(HTTPRequest.Failure) -> String {
        let key = Self.secret()
        let isValid = state.withLock { state in
            guard let expected = state.token, Self.areEqual(expected, token) else { return false }
            state.token = nil
            state.session = key
            return true
        }
        guard isValid else {
            throw HTTPRequest.Failure(403, "the URL has been used; start the command again for another one")
        }
        return key
    }

    private static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, ["127.0.0.1", "localhost"].contains(parts[0]) else { return false }
        return parts.count == 1 || UInt16(parts[1]) != nil
    }

    /// Compares two texts. The time does not depend on where they differ.
    private static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
        guard lhs.utf8.count == rhs.utf8.count else { return false }
        return zip(lhs.utf8, rhs.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
