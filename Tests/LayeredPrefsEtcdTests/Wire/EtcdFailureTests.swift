#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct EtcdFailureTests {
        /// The same failure, as reported by etcd 3.4 and 3.5, by etcd 3.6, and by streams of both.
        @Test(arguments: [
            #"{"error":"etcdserver: permission denied","message":"etcdserver: permission denied","code":7}"#,
            #"{"code":7,"message":"etcdserver: permission denied","details":[]}"#,
            #"{"error":{"grpc_code":7,"http_code":403,"message":"etcdserver: permission denied","http_status":"Forbidden"}}"#,
            #"{"error":{"code":7,"message":"etcdserver: permission denied","details":[{"@type":"x"}]}}"#,
        ])
        func `every shape of an error is understood`(_ body: String) {
            let failure = EtcdFailure(status: 403, body: Array(body.utf8))
            #expect(failure == EtcdFailure(.permission, "etcdserver: permission denied"))
        }

        @Test(arguments: [
            (400, "etcdserver: user name is empty", 3, EtcdFailure.Kind.token),
            (401, "etcdserver: invalid auth token", 16, .token),
            (400, "etcdserver: revision of auth store is old", 3, .token),
            (400, "etcdserver: authentication failed, invalid user ID or password", 3, .credentials),
            (412, "etcdserver: authentication is not enabled", 9, .authenticationDisabled),
            (400, "etcdserver: mvcc: required revision has been compacted", 11, .revision),
            (400, "etcdserver: mvcc: required revision is a future revision", 11, .revision),
            (503, "etcdserver: request timed out", 14, .unavailable),
            (500, "context deadline exceeded", 2, .unavailable),
            (500, "etcdserver: not a primary lessor", 2, .unavailable),
            (400, "etcdserver: request is too large", 3, .tooLarge),
            (429, "etcdserver: mvcc: database space exceeded", 8, .noSpace),
            (400, "etcdserver: duplicate key given in txn request", 3, .invalidRequest),
            (401, "a message of a later version", 16, .token),
        ])
        func `the message decides, then the code`(
            _ status: Int, _ message: String, _ code: Int, _ kind: EtcdFailure.Kind
        ) {
            let body = #"{"error":"\#(message)","message":"\#(message)","code":\#(code)}"#
            #expect(EtcdFailure(status: status, body: Array(body.utf8)).kind == kind)
        }

        @Test func `plain text is reported in part, with the status`() {
            let body = "404 page not found\nmore" + String(repeating: "x", count: 10_000)
            let failure = EtcdFailure(status: 404, body: Array(body.utf8))
            #expect(failure == EtcdFailure(.protocolViolation, "HTTP status 404: 404 page not found"))
            #expect(EtcdFailure(status: 502, body: Array("<html>".utf8)).kind == .unavailable)
            #expect(EtcdFailure(status: 421, body: []).kind == .protocolViolation)
        }

        @Test(arguments: [
            (
                "rpc error: code = PermissionDenied desc = etcdserver: permission denied",
                EtcdFailure.Kind.permission
            ),
            ("rpc error: code = InvalidArgument desc = etcdserver: user name is empty", .token),
            ("", .unavailable),
        ])
        func `the reason of a cancelled watch is classified`(_ reason: String, _ kind: EtcdFailure.Kind) {
            #expect(EtcdFailure(cancelReason: reason).kind == kind)
        }
    }
#endif
