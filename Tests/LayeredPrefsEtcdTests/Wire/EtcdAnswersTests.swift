#if Etcd
    import Testing

    @testable import LayeredPrefsEtcd

    @Suite struct EtcdAnswersTests {
        @Test func `absent fields are zero`() throws {
            let range = try EtcdRange(json: Array(#"{"header":{"revision":"5"}}"#.utf8))
            #expect(range.items.isEmpty && range.count == 0 && !range.hasMore && range.header.revision == 5)
            let message = try EtcdWatchMessage(
                streamed: Array(
                    #"{"result":{"header":{"revision":"6"},"events":[{"kv":{"key":"YQ==","mod_revision":"6"}}]}}"#
                        .utf8))
            #expect(message.watchID == 0 && !message.isCanceled)
            #expect(message.events == [.put(EtcdItem(key: [0x61], value: [], revision: 6))])
        }

        @Test func `numbers may be strings or numbers, and unknown fields of any type are skipped`() throws {
            let text =
                #"{"new":[{"x":[null,true,-1.5e3,"\"]"]}],"header":{"revision":7,"cluster_id":"18446744073709551615"}}"#
            let range = try EtcdRange(json: Array(text.utf8))
            #expect(range.header == EtcdHeader(clusterID: .max, revision: 7))
        }

        @Test func `a renewal is a stream of one message, and an expired lease has no time left`() throws {
            let answer = #"{"header":{"revision":"5"},"ID":"7","TTL":"60"}"#
            let granted = try EtcdLease(answer: Array(answer.utf8))
            #expect(granted.id == 7 && granted.seconds == 60)
            let message = #"{"result":{"header":{"revision":"5"},"ID":"7"}}"#
            let expired = try EtcdLease(streamed: Array(message.utf8))
            #expect(expired.id == 7 && expired.seconds == 0)
            #expect {
                let error = #"{"error":{"grpc_code":16,"message":"invalid auth token"}}"#
                return try EtcdLease(streamed: Array(error.utf8))
            } throws: { ($0 as? EtcdFailure)?.kind == .token }
            #expect {
                try EtcdLease(answer: Array("{}".utf8))
            } throws: { ($0 as? EtcdFailure)?.kind == .protocolViolation }
        }

        @Test func `escape sequences of a string are decoded`() throws {
            let text = #"{"result":{"canceled":true,"cancel_reason":"a\n\u00e9\ud83d\ude00\\\"/é"}}"#
            let message = try EtcdWatchMessage(streamed: Array(text.utf8))
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
            #expect(throws: MalformedAnswer.self) { try EtcdRange(json: Array(text.utf8)) }
        }

        @Test func `an answer that is nested deeply, or has too many values, is malformed`() {
            let texts = [
                #"{"x":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
                    + "}",
                String(repeating: #"{"header":"#, count: 100_000),
                #"{"header":{"revision":"5"},"kvs":[{}"# + String(repeating: ",{}", count: 1 << 20) + "]}",
            ]
            for text in texts {
                #expect(throws: MalformedAnswer.self) { try EtcdRange(json: Array(text.utf8)) }
            }
        }

        @Test(arguments: ["{}", #"{"token":""}"#, #"{"token":"a\r\nX: y"}"#])
        func `a token that cannot be a header's value is malformed`(_ text: String) {
            #expect(throws: MalformedAnswer.self) { try EtcdToken(json: Array(text.utf8)) }
        }

        @Test func `of a field that is sent twice one counts`() throws {
            let text = #"{"header":{"revision":"5"},"count":"1","count":"2","kvs":[{}],"kvs":[{}]}"#
            let range = try EtcdRange(json: Array(text.utf8))
            #expect((1...2).contains(range.count) && range.items.count == 1)
        }

        @Test(arguments: [#"{"error":{"message":"x","code":14}}"#, "{}", "[1]", #"{"result":7}"#, "x", ""])
        func `an object of a stream that is no message is a failure`(_ text: String) {
            #expect(throws: EtcdFailure.self) { try EtcdWatchMessage(streamed: Array(text.utf8)) }
        }

        @Test func `keys and values are base64 of every length and byte`() throws {
            for length in 0...260 {
                let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ length) }
                let text = #"{"key":"\#(bytes.base64)","mod_revision":"9223372036854775807"}"#
                let item = try EtcdItem(json: Array(text.utf8))
                #expect(item == EtcdItem(key: bytes, value: [], revision: .max))
            }
        }

        @Test(arguments: ["a", "ab", "abc", "ab=c", "a===", "====", "ab-_", "ab c", "abcd=", "YR=="])
        func `what is not base64 is malformed`(_ text: String) {
            #expect(throws: MalformedAnswer("expected base64")) {
                try EtcdItem(json: Array(#"{"key":"\#(text)"}"#.utf8))
            }
        }

        @Test func `no beginning and no mutation of an answer crashes`() {
            let text = Array(
                #"{"header":{"revision":"5"},"kvs":[{"key":"YQ==","value":"\u00e9","mod_revision":"5"}],"more":true}"#
                    .utf8)
            for length in 0..<text.count { _ = try? EtcdRange(json: Array(text[..<length])) }
            for index in text.indices {
                for byte: UInt8 in [0, 0x22, 0x5b, 0x5c, 0x7b, 0x7d, 0x80, 0xff] {
                    var mutated = text
                    mutated[index] = byte
                    _ = try? EtcdRange(json: mutated)
                    _ = try? EtcdWatchMessage(streamed: mutated)
                    _ = EtcdFailure(status: 500, body: mutated)
                }
            }
            #expect((try? EtcdRange(json: text)) == nil)  // The value is no base64.
        }
    }
#endif
