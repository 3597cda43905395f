#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct EtcdAnswersTests {
        @Test func `absent fields are zero`() throws {
            let range = try EtcdRange(Array(#"{"header":{"revision":"5"}}"#.utf8))
            #expect(range.items.isEmpty && range.count == 0 && !range.hasMore && range.header.revision == 5)
            let put = try EtcdStreamObject(
                Array(
                    #"{"result":{"header":{"revision":"6"},"events":[{"kv":{"key":"YQ==","mod_revision":"6"}}]}}"#
                        .utf8))
            guard case .message(let message) = put else { return #expect(Bool(false), "\(put)") }
            #expect(message.watchID == 0 && !message.isCanceled)
            #expect(message.events == [.put(EtcdItem(key: [0x61], value: [], revision: 6))])
        }

        @Test func `numbers may be strings or numbers, and unknown fields of any type are skipped`() throws {
            let text =
                #"{"new":[{"x":[null,true,-1.5e3,"\"]"]}],"header":{"revision":7,"cluster_id":"18446744073709551615"}}"#
            let range = try EtcdRange(Array(text.utf8))
            #expect(range.header == EtcdHeader(clusterID: .max, revision: 7))
        }

        @Test func `a renewal is a stream of one message, and an expired lease has no time left`() throws {
            let granted = try EtcdLease(Array(#"{"header":{"revision":"5"},"ID":"7","TTL":"60"}"#.utf8))
            #expect(granted.id == 7 && granted.seconds == 60)
            let expired = try EtcdLease(Array(#"{"result":{"header":{"revision":"5"},"ID":"7"}}"#.utf8))
            #expect(expired.id == 7 && expired.seconds == 0)
            #expect {
                try EtcdLease(Array(#"{"error":{"grpc_code":16,"message":"invalid auth token"}}"#.utf8))
            } throws: { ($0 as? EtcdFailure)?.kind == .token }
            #expect {
                try EtcdLease(Array("{}".utf8))
            } throws: { ($0 as? EtcdFailure)?.kind == .protocolViolation }
        }

        @Test func `escape sequences of a string are decoded`() throws {
            let text = #"{"result":{"canceled":true,"cancel_reason":"a\n\u00e9\ud83d\ude00\\\"/é"}}"#
            guard case .message(let message) = try EtcdStreamObject(Array(text.utf8)) else {
                return #expect(Bool(false))
            }
            #expect(message.cancelReason == "a\né😀\\\"/é")
        }

        @Test(arguments: [
            "", "{", "[]", "null", #"{"header":1}"#, #"{"header":{"revision":"x"}}"#,
            #"{"header":{"revision":"0"}}"#,
            #"{"header":{"revision":"5"},"kvs":{}}"#, #"{"header":{"revision":"5"},"kvs":[{"key":"!"}]}"#,
            #"{"header":{"revision":"5"},"kvs":[{"key":5}]}"#, #"{"header":{"revision":"5"}} x"#,
            #"{"header":{"revision":"99999999999999999999"}}"#, #"{"header":{"revision":"5"},"more":"yes"}"#,
            #"{"a":""# + "\\", #"{"header":{"revision":"5"},"#,
            #"{"x":"# + String(repeating: "[", count: 5000),
        ])
        func `what etcd would not send is malformed`(_ text: String) {
            #expect(throws: MalformedAnswer.self) { try EtcdRange(Array(text.utf8)) }
        }

        @Test(arguments: ["{}", #"{"token":""}"#, #"{"token":"a\r\nX: y"}"#])
        func `a token that cannot be a header's value is malformed`(_ text: String) {
            #expect(throws: MalformedAnswer.self) { try EtcdToken.read(Array(text.utf8)) }
        }

        @Test func `more items than asked for are refused while they are read`() {
            let text = Array(#"{"header":{"revision":"5"},"kvs":[{},{},{}]}"#.utf8)
            #expect(throws: MalformedAnswer("more keys than asked for")) { try EtcdRange(text, limit: 2) }
            #expect(throws: Never.self) { try EtcdRange(text, limit: 3) }
        }

        @Test func `no beginning and no mutation of an answer crashes`() {
            let text = Array(
                #"{"header":{"revision":"5"},"kvs":[{"key":"YQ==","value":"\u00e9","mod_revision":"5"}],"more":true}"#
                    .utf8)
            for length in 0..<text.count { _ = try? EtcdRange(Array(text[..<length])) }
            for index in text.indices {
                for byte: UInt8 in [0, 0x22, 0x5b, 0x5c, 0x7b, 0x7d, 0x80, 0xff] {
                    var mutated = text
                    mutated[index] = byte
                    _ = try? EtcdRange(mutated)
                    _ = try? EtcdStreamObject(mutated)
                    _ = EtcdFailure(status: 500, body: mutated)
                }
            }
            #expect((try? EtcdRange(text)) == nil)  // The value is no base64.
        }
    }
#endif
